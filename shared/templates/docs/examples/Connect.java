import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Connects a taxpayer. Reads API, CLIENT, SECRET and CALLBACK (the service and the registered client) from the environment. */
public class Connect {
  private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();

  private static String random() {
    var bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return BASE64URL.encodeToString(bytes);
  }

  private static String form(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
        .collect(Collectors.joining("&"));
  }

  public static void main(String[] arguments) throws Exception {
    var api = System.getenv("API");
    var client = System.getenv("CLIENT");
    var callback = System.getenv("CALLBACK");
    var verifier = random();
    var challenge = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(UTF_8));
    var asked =
        Map.of(
            "response_type", "code",
            "client_id", client,
            "redirect_uri", callback,
            "scope", "invoices:read invoices:write",
            "state", random(),
            "code_challenge", BASE64URL.encodeToString(challenge),
            "code_challenge_method", "S256");

    // 1. Redirect the browser of the taxpayer to this address.
    System.out.println(api + "/sandbox/oauth/authorize?" + form(asked));

    // 2. The browser returns with the same state and with a code.
    var code = new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();

    // 3. Exchange the code within a minute.
    var exchanged =
        Map.of("grant_type", "authorization_code", "code", code, "redirect_uri", callback, "code_verifier", verifier);
    var credentials = Base64.getEncoder().encodeToString((client + ":" + System.getenv("SECRET")).getBytes(UTF_8));
    var request =
        HttpRequest.newBuilder(URI.create(api + "/v1/oauth/token"))
            .header("Authorization", "Basic " + credentials)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form(exchanged)))
            .build();
    var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(answer.statusCode() + " " + answer.body());
    }
    System.out.println(answer.body());
  }
}
