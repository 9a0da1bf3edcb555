import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Verifies a delivery: HMAC-SHA256 over "id.timestamp.body", at most five minutes old. Pass the body as it arrived, before any
 * parsing: Verify.refusal(headers, bytes, List.of(secret)) is null if the delivery is valid. Java 11 or newer.
 */
public final class Verify {
    private static final List<String> NAMES = List.of("webhook-id", "webhook-timestamp", "webhook-signature");

    /** The secrets: one, or the old and the new one while you change it. */
    public static String refusal(Map<String, String> headers, byte[] body, List<String> secrets)
            throws GeneralSecurityException {
        var given = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        given.putAll(headers);
        for (var name : NAMES)
            if (given.getOrDefault(name, "").isEmpty()) return "the header " + name + " is missing";
        var timestamp = given.get("webhook-timestamp");
        if (!timestamp.matches("[0-9]{1,12}")
                || Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300)
            return "too old or too new";
        for (var secret : secrets) {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
            mac.update((given.get("webhook-id") + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            var expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
            // There are two signatures while the secret of the listener changes.
            for (var signature : given.get("webhook-signature").split(" "))
                if (MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8)))
                    return null;
        }
        return "no signature fits";
    }

    /** From a shell: the headers and the secrets in the environment, the body on standard input. */
    public static void main(String[] args) throws Exception {
        var headers = new TreeMap<String, String>();
        for (var name : NAMES)
            headers.put(name, System.getenv().getOrDefault(name.toUpperCase().replace('-', '_'), ""));
        var why = refusal(headers, System.in.readAllBytes(), List.of(System.getenv("WEBHOOK_SECRETS").split(" ")));
        System.out.println(why == null ? "valid" : why);
        System.exit(why == null ? 0 : 1);
    }
}
