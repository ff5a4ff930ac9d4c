using System;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

/// <summary>Shows the errors of an invoice, and retries where a retry can help. Reads API, KEY and TAXPAYER from the environment.</summary>
static class Errors
{
    static string Variable(string name) =>
        Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set");

    /// <summary>Retries 429, 503, and 409 with Retry-After, always with the same payload and key.</summary>
    static async Task<HttpResponseMessage> Send(HttpClient client, string path, string body, string key, int tries)
    {
        while (true)
        {
            var request = new HttpRequestMessage(HttpMethod.Post, path)
            {
                Content = new StringContent(body, Encoding.UTF8, "application/json"),
            };
            request.Headers.Add("Idempotency-Key", key);
            var response = await client.SendAsync(request);
            var wait = response.Headers.RetryAfter?.Delta;
            if (wait == null || --tries == 0)
            {
                return response;
            }
            await Task.Delay(TimeSpan.FromSeconds(Math.Min(wait.Value.TotalSeconds, 60)));
        }
    }

    static string Text(JsonElement element, string name) =>
        element.TryGetProperty(name, out var value) ? value.ToString() : "";

    static async Task Tell()
    {
        using (var client = new HttpClient { BaseAddress = new Uri($"{Variable("API")}/v1/") })
        {
            client.DefaultRequestHeaders.Add("Authorization", $"Api-Key {Variable("KEY")}");
            client.DefaultRequestHeaders.Add("x-ae-taxpayer-id", Variable("TAXPAYER"));
            var invoice = JsonSerializer.Serialize(new { invoice_number = "INV-1", currency = "EURO", line_items = new object[0] });
            var answer = await Send(client, "invoices", invoice, "an-invoice-that-is-wrong", 5);
            if (answer.IsSuccessStatusCode)
            {
                return;
            }
            var detail = JsonDocument.Parse(await answer.Content.ReadAsStringAsync()).RootElement.GetProperty("detail");
            Console.WriteLine($"{(int)answer.StatusCode} {Text(detail, "code")} {Text(detail, "doc_url")}");
            foreach (var error in detail.GetProperty("errors").EnumerateArray())
            {
                Console.WriteLine($"{Text(error, "rule")} at {Text(error, "pointer")} {Text(error, "message")} {Text(error, "doc_url")}");
            }
        }
    }

    static void Main() => Tell().GetAwaiter().GetResult();
}
