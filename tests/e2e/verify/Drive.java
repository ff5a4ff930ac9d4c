import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Base64;

public final class Drive {
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] told = line.split("\t", -1);
            byte[] body = Base64.getDecoder().decode(told[4]);
            try {
                System.out.println("verified " + WebhookVerifier.verify(told[0], sent(told[1]), sent(told[2]), sent(told[3]), body));
            } catch (SecurityException why) {
                System.out.println("refused " + why.getMessage());
            }
        }
    }

    private static String sent(String header) {
        return header.equals("-") ? null : header;
    }
}
