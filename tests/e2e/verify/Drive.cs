using System;
using System.IO;
using System.Security;
using System.Text;

static class Drive
{
    static void Main()
    {
        var stdin = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        var stdout = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
        for (var line = stdin.ReadLine(); line != null; line = stdin.ReadLine())
        {
            var told = line.Split('\t');
            var body = Convert.FromBase64String(told[4]);
            try
            {
                stdout.WriteLine("verified " + WebhookVerifier.Verify(told[0], Sent(told[1]), Sent(told[2]), Sent(told[3]), body));
            }
            catch (SecurityException why)
            {
                stdout.WriteLine("refused " + why.Message);
            }
        }
        stdout.Flush();
    }

    static string Sent(string header) => header == "-" ? null : header;
}
