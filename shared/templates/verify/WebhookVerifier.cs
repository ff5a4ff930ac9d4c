// Standard Webhooks 1.0.0: call Verify with the raw body before you parse it. Respond with 401 if it throws.
using System;
using System.Globalization;
using System.Linq;
using System.Security;
using System.Security.Cryptography;
using System.Text;

public static class WebhookVerifier
{
    const long Tolerance = 5 * 60; // seconds

    /// <summary>
    /// Returns the webhook-id, which stays the same when an event is sent again. The secret is the signing secret, whsec_…. A missing
    /// header is null.
    /// </summary>
    public static string Verify(string secret, string id, string timestamp, string signatures, byte[] body)
    {
        if (string.IsNullOrEmpty(id) || timestamp == null || signatures == null)
        {
            throw new SecurityException("a webhook-… header is missing");
        }
        if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)
            || Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > Tolerance)
        {
            throw new SecurityException("webhook-timestamp is more than five minutes off");
        }
        var key = Convert.FromBase64String(secret.StartsWith("whsec_", StringComparison.Ordinal) ? secret.Substring(6) : secret);
        var signed = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray();
        using (var mac = new HMACSHA256(key))
        {
            var expected = mac.ComputeHash(signed);
            // During a rotation, there is one signature for each secret.
            foreach (var signature in signatures.Split(' '))
            {
                if (signature.StartsWith("v1,", StringComparison.Ordinal)
                    && CryptographicOperations.FixedTimeEquals(Decoded(signature.Substring(3)), expected))
                {
                    return id;
                }
            }
        }
        throw new SecurityException("no signature matches the secret and the body");
    }

    static byte[] Decoded(string text)
    {
        try
        {
            return Convert.FromBase64String(text);
        }
        catch (FormatException)
        {
            return Array.Empty<byte>();
        }
    }
}
