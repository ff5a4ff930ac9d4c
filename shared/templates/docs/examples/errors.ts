// Shows the errors of an invoice, and retries where a retry can help. Reads API, KEY and TAXPAYER from the environment.
declare const process: { env: Record<string, string> };
const { API, KEY, TAXPAYER } = process.env;

interface Detail {
  code: string;
  doc_url?: string;
  errors: { rule: string; pointer: string; message: string; doc_url?: string }[];
}

/** Retries 429, 503, and 409 with Retry-After, always with the same payload and key. */
async function send(path: string, body: object, key: string, tries = 5): Promise<Response> {
  for (let left = tries - 1; ; left--) {
    const answer = await fetch(`${API}/v1${path}`, {
      method: "POST",
      headers: {
        Authorization: `Api-Key ${KEY}`,
        "x-ae-taxpayer-id": TAXPAYER,
        "Content-Type": "application/json",
        "Idempotency-Key": key,
      },
      body: JSON.stringify(body),
    });
    const wait = answer.headers.get("Retry-After");
    if (wait === null || left === 0) {
      return answer;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(Number(wait), 60) * 1_000));
  }
}

const invoice = { invoice_number: "INV-1", currency: "EURO", line_items: [] };
const answer = await send("/invoices", invoice, "an-invoice-that-is-wrong");
if (!answer.ok) {
  const { detail }: { detail: Detail } = await answer.json();
  console.log(answer.status, detail.code, detail.doc_url ?? "");
  for (const finding of detail.errors) {
    console.log(finding.rule, "at", finding.pointer, finding.message, finding.doc_url ?? "");
  }
}

export {};
