using System;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

/// <summary>Credits an invoice. Reads API, KEY, TAXPAYER and DOCUMENT (the document_id of the invoice) from the environment.</summary>
static class CreditNote
{
    static string Variable(string name) =>
        Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set");

    static async Task Send()
    {
        var number = $"CN-{DateTime.UtcNow.Ticks}-cs";
        var creditNote = new
        {
            credit_note_number = number,
            credit_note_reason_code = "DL8.61.1.D",
            previous_document_id = Variable("DOCUMENT"),
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
                    quantity = "1",
                    price = new { net_price = "450.00" },
                    vat = new { category_code = "S" },
                },
            },
        };
        using (var client = new HttpClient())
        {
            client.DefaultRequestHeaders.Add("Authorization", $"Api-Key {Variable("KEY")}");
            client.DefaultRequestHeaders.Add("x-ae-taxpayer-id", Variable("TAXPAYER"));
            client.DefaultRequestHeaders.Add("Idempotency-Key", number);
            var body = new StringContent(JsonSerializer.Serialize(creditNote), Encoding.UTF8, "application/json");
            var answer = await client.PostAsync($"{Variable("API")}/v1/credit-notes", body);
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
            {
                throw new InvalidOperationException($"{(int)answer.StatusCode} {text}");
            }
            Console.WriteLine(text);
        }
    }

    static void Main() => Send().GetAwaiter().GetResult();
}
