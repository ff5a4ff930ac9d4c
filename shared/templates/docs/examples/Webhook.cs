using System;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

/// <summary>Creates an endpoint and sends it a test event. Reads API, KEY and URL (the address of your program) from the environment.</summary>
static class Webhook
{
    static string Variable(string name) =>
        Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set");

    static async Task<JsonElement> Post(HttpClient client, string path, object body)
    {
        var content = new StringContent(JsonSerializer.Serialize(body), Encoding.UTF8, "application/json");
        var answer = await client.PostAsync(path, content);
        var text = await answer.Content.ReadAsStringAsync();
        if (!answer.IsSuccessStatusCode)
        {
            throw new InvalidOperationException($"{(int)answer.StatusCode} {text}");
        }
        return JsonDocument.Parse(text).RootElement;
    }

    static async Task Make()
    {
        using (var client = new HttpClient { BaseAddress = new Uri($"{Variable("API")}/v1/") })
        {
            client.DefaultRequestHeaders.Add("Authorization", $"Api-Key {Variable("KEY")}");
            var types = new[] { "document.sent", "document.status", "document.reported" };
            var endpoint = await Post(client, "webhook-endpoints", new { url = Variable("URL"), event_types = types, description = "ERP" });
            // The response has the signing secret, only once.
            Console.WriteLine($"{endpoint.GetProperty("endpoint_id")} {endpoint.GetProperty("secret")}");

            // Sends a test event to the endpoint, like a real one.
            var path = $"webhook-endpoints/{endpoint.GetProperty("endpoint_id")}/test";
            var tested = await Post(client, path, new { event_type = "document.sent" });
            Console.WriteLine(tested.GetProperty("event_id"));
        }
    }

    static void Main() => Make().GetAwaiter().GetResult();
}
