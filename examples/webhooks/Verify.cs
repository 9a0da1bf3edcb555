using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

/// <summary>
/// Verifies a delivery: HMAC-SHA256 over "id.timestamp.body", at most five minutes old. Pass the body as it arrived, before any
/// parsing: Webhook.Refusal(headers, bytes, secret) is null if the delivery is valid.
/// </summary>
public static class Webhook
{
    static readonly string[] Names = { "webhook-id", "webhook-timestamp", "webhook-signature" };

    /// <param name="secrets">One, or the old and the new one while you change it.</param>
    public static string Refusal(IDictionary<string, string> headers, byte[] body, params string[] secrets)
    {
        var given = new Dictionary<string, string>(headers, StringComparer.OrdinalIgnoreCase);
        foreach (var name in Names)
            if (!given.ContainsKey(name) || string.IsNullOrEmpty(given[name])) return "the header " + name + " is missing";
        var timestamp = given["webhook-timestamp"];
        long seconds;
        if (!timestamp.All(c => c >= '0' && c <= '9') || !long.TryParse(timestamp, out seconds)
            || Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > 300)
            return "too old or too new";
        var signed = Encoding.UTF8.GetBytes(given["webhook-id"] + "." + timestamp + ".").Concat(body).ToArray();
        foreach (var secret in secrets)
        {
            using (var mac = new HMACSHA256(Convert.FromBase64String(secret.Substring("whsec_".Length))))
            {
                var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(mac.ComputeHash(signed)));
                // There are two signatures while the secret of the listener changes.
                foreach (var signature in given["webhook-signature"].Split(' '))
                    if (IsSame(expected, Encoding.UTF8.GetBytes(signature))) return null;
            }
        }
        return "no signature fits";
    }

    /// <summary>In constant time; on .NET Core, CryptographicOperations.FixedTimeEquals is the same.</summary>
    static bool IsSame(byte[] a, byte[] b)
    {
        if (a.Length != b.Length) return false;
        var difference = 0;
        for (var at = 0; at < a.Length; at++) difference |= a[at] ^ b[at];
        return difference == 0;
    }

    /// <summary>From a shell: the headers and the secrets in the environment, the body on standard input.</summary>
    static int Main()
    {
        var headers = Names.ToDictionary(n => n, n => Environment.GetEnvironmentVariable(n.ToUpperInvariant().Replace('-', '_')) ?? "");
        var body = new MemoryStream();
        Console.OpenStandardInput().CopyTo(body);
        var why = Refusal(headers, body.ToArray(), Environment.GetEnvironmentVariable("WEBHOOK_SECRETS").Split(' '));
        Console.WriteLine(why ?? "valid");
        return why == null ? 0 : 1;
    }
}
