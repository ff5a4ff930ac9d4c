// Sends an invoice and reads it back. API, KEY and TAXPAYER are in the environment.
using System.Net.Http.Json;
using System.Text.Json.Nodes;

string Variable(string name) => Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set");

using var client = new HttpClient { BaseAddress = new Uri($"{Variable("API")}/v1/") };
client.DefaultRequestHeaders.TryAddWithoutValidation("Authorization", $"Api-Key {Variable("KEY")}");
client.DefaultRequestHeaders.Add("x-ae-taxpayer-id", Variable("TAXPAYER"));

async Task<JsonNode> Answer(HttpResponseMessage response)
{
    var text = await response.Content.ReadAsStringAsync();
    return response.IsSuccessStatusCode ? JsonNode.Parse(text)! : throw new InvalidOperationException($"{(int)response.StatusCode} {text}");
}

var number = $"INV-{DateTime.UtcNow.Ticks}-cs";
var invoice = JsonNode.Parse($$"""
{
  "invoice_number": "{{number}}",
  "due_date": "2030-01-31",
  "customer": {
    "name": "Oasis Supplies FZE",
    "vat_identifier": "100123450200003",
    "address": {"line_1": "Jebel Ali Free Zone, Gate 5", "city": "Dubai", "country_subdivision": "DXB"}
  },
  "line_items": [
    {"item": {"name": "Label printer"}, "quantity": "2", "price": {"net_price": "450.00"}, "vat": {"category_code": "S"}}
  ]
}
""");
// The key is the same for each retry of this invoice: however often it is sent, it is one document.
using var request = new HttpRequestMessage(HttpMethod.Post, "invoices") { Content = JsonContent.Create(invoice) };
request.Headers.Add("Idempotency-Key", number);
var sent = await Answer(await client.SendAsync(request));
var read = await Answer(await client.GetAsync($"invoices/{sent["document_id"]}"));
Console.WriteLine($"{read["document_id"]} {read["status"]} {read["total_with_vat"]}");
