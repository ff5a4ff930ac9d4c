// Standard Webhooks 1.0.0: call verify() with the raw body before you parse it. Respond with 401 if it throws.
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class WebhookVerifier {
    private static final long TOLERANCE = 5 * 60; // seconds

    private WebhookVerifier() {}

    /**
     * Returns the webhook-id, which stays the same when an event is sent again. {@code secret} is the signing secret,
     * {@code whsec_…}. A missing header is null.
     */
    public static String verify(String secret, String id, String timestamp, String signatures, byte[] body)
            throws GeneralSecurityException {
        if (id == null || timestamp == null || signatures == null || id.isEmpty()) {
            throw new SecurityException("a webhook-… header is missing");
        }
        if (!timestamp.matches("[0-9]{1,15}")
                || Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) > TOLERANCE) {
            throw new SecurityException("webhook-timestamp is more than five minutes off");
        }
        byte[] key = Base64.getDecoder().decode(secret.startsWith("whsec_") ? secret.substring(6) : secret);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = mac.doFinal(body);
        // During a rotation, there is one signature for each secret.
        for (String signature : signatures.split(" ")) {
            if (signature.startsWith("v1,") && MessageDigest.isEqual(decoded(signature.substring(3)), expected)) {
                return id;
            }
        }
        throw new SecurityException("no signature matches the secret and the body");
    }

    private static byte[] decoded(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException noBase64) {
            return new byte[0];
        }
    }
}
