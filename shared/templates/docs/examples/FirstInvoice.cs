using System;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

/// <summary>Sends an invoice and reads it back. Reads API, KEY and TAXPAYER from the environment.</summary>
static class FirstInvoice
{
    static string Variable(string name) =>
        Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set");

    static async Task<JsonElement> Answer(HttpResponseMessage response)
    {
        var text = await response.Content.ReadAsStringAsync();
        if (!response.IsSuccessStatusCode)
        {
            throw new InvalidOperationException($"{(int)response.StatusCode} {text}");
        }
        return JsonDocument.Parse(text).RootElement;
    }

    static async Task Send()
    {
        var number = $"INV-{DateTime.UtcNow.Ticks}-cs";
        var invoice = new
        {
            invoice_number = number,
            due_date = "2030-01-31",
            customer = new
            {
                name = "Oasis Supplies FZE",
                vat_identifier = "100123450200003",
                address = new { line_1 = "Jebel Ali Free Zone, Gate 5", city = "Dubai", country_subdivision = "DXB" },
            },
            line_items = new[]
            {
                new
                {
                    item = new { name = "Label printer" },
                    quantity = "2",
                    price = new { net_price = "450.00" },
                    vat = new { category_code = "S" },
                },
            },
        };
        using (var client = new HttpClient { BaseAddress = new Uri($"{Variable("API")}/v1/") })
        {
            client.DefaultRequestHeaders.Add("Authorization", $"Api-Key {Variable("KEY")}");
            client.DefaultRequestHeaders.Add("x-ae-taxpayer-id", Variable("TAXPAYER"));
            var request = new HttpRequestMessage(HttpMethod.Post, "invoices")
            {
                Content = new StringContent(JsonSerializer.Serialize(invoice), Encoding.UTF8, "application/json"),
            };
            // Use the same key for each retry of this invoice: repeated sends create only one document.
            request.Headers.Add("Idempotency-Key", number);
            var sent = await Answer(await client.SendAsync(request));
            var read = await Answer(await client.GetAsync($"invoices/{sent.GetProperty("document_id")}"));
            Console.WriteLine($"{read.GetProperty("document_id")} {read.GetProperty("status")} {read.GetProperty("total_with_vat")}");
        }
    }

    static void Main() => Send().GetAwaiter().GetResult();
}
