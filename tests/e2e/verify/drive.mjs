import { readFileSync } from "node:fs";

import { verify } from "./verify.mjs";

for (const line of readFileSync(0, "utf8").trimEnd().split("\n")) {
  const [secret, id, timestamp, signature, body] = line.split("\t");
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== "-"));
  try {
    console.log("verified", verify(secret, sent, Buffer.from(body, "base64")));
  } catch (why) {
    console.log("refused", why.message);
  }
}
