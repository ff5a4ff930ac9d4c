// Standard Webhooks 1.0.0: call verify() with the raw body before you parse it. Respond with 401 if it throws.
import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE = 5 * 60; // seconds

// Returns the webhook-id, which stays the same when an event is sent again. `secret` is the signing secret, `whsec_…`. `headers`
// are those of a Node request, in lower case. `body` is a Buffer.
export function verify(secret, headers, body) {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const signatures = headers["webhook-signature"];
  if (!id || !timestamp || !signatures) throw new Error("a webhook-… header is missing");
  if (!/^[0-9]{1,15}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE) {
    throw new Error("webhook-timestamp is more than five minutes off");
  }
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  // During a rotation, there is one signature for each secret.
  const verified = signatures.split(" ").some((signature) => {
    if (!signature.startsWith("v1,")) return false;
    const given = Buffer.from(signature.slice(3), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!verified) throw new Error("no signature matches the secret and the body");
  return id;
}
