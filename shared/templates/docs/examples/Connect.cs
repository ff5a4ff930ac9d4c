using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;

/// <summary>Connects a taxpayer. Reads API, CLIENT, SECRET and CALLBACK (the service and the registered client) from the environment.</summary>
static class Connect
{
    static string Variable(string name) =>
        Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set");

    static string Base64Url(byte[] bytes) =>
        Convert.ToBase64String(bytes).Replace('+', '-').Replace('/', '_').TrimEnd('=');

    static string NewSecret()
    {
        var bytes = new byte[32];
        using (var generator = RandomNumberGenerator.Create())
        {
            generator.GetBytes(bytes);
        }
        return Base64Url(bytes);
    }

    static async Task Run()
    {
        var api = Variable("API");
        var client = Variable("CLIENT");
        var callback = Variable("CALLBACK");
        var verifier = NewSecret();
        byte[] challenge;
        using (var hash = SHA256.Create())
        {
            challenge = hash.ComputeHash(Encoding.ASCII.GetBytes(verifier));
        }
        var asked = new Dictionary<string, string>
        {
            ["response_type"] = "code",
            ["client_id"] = client,
            ["redirect_uri"] = callback,
            ["scope"] = "invoices:read invoices:write",
            ["state"] = NewSecret(),
            ["code_challenge"] = Base64Url(challenge),
            ["code_challenge_method"] = "S256",
        };

        // 1. Redirect the browser of the taxpayer to this address.
        var query = string.Join("&", asked.Select(field => $"{field.Key}={Uri.EscapeDataString(field.Value)}"));
        Console.WriteLine($"{api}/sandbox/oauth/authorize?{query}");

        // 2. The browser returns with the same state and with a code.
        var code = Console.ReadLine();

        // 3. Exchange the code within a minute.
        using (var http = new HttpClient())
        {
            var credentials = Convert.ToBase64String(Encoding.UTF8.GetBytes($"{client}:{Variable("SECRET")}"));
            http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Basic", credentials);
            var form = new FormUrlEncodedContent(new Dictionary<string, string>
            {
                ["grant_type"] = "authorization_code",
                ["code"] = code,
                ["redirect_uri"] = callback,
                ["code_verifier"] = verifier,
            });
            var answer = await http.PostAsync($"{api}/v1/oauth/token", form);
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
            {
                throw new InvalidOperationException($"{(int)answer.StatusCode} {text}");
            }
            Console.WriteLine(text);
        }
    }

    static void Main() => Run().GetAwaiter().GetResult();
}
