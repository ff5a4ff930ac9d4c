// Creates an endpoint and sends it a test event. Reads API, KEY and URL (the address of your program) from the environment.
declare const process: { env: Record<string, string> };
const { API, KEY, URL: url } = process.env;

interface Endpoint {
  endpoint_id: string;
  /** Only in this response. */
  secret: string;
}

async function post<T>(path: string, body: object): Promise<T> {
  const answer = await fetch(`${API}/v1${path}`, {
    method: "POST",
    headers: { Authorization: `Api-Key ${KEY}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) {
    throw new Error(`${answer.status} ${await answer.text()}`);
  }
  return answer.json();
}

const types = ["document.sent", "document.status", "document.reported"];
const endpoint = await post<Endpoint>("/webhook-endpoints", { url, event_types: types, description: "ERP" });
console.log(endpoint.endpoint_id, endpoint.secret);

// Sends a test event to the endpoint, like a real one.
const tested = await post<{ event_id: string }>(`/webhook-endpoints/${endpoint.endpoint_id}/test`, {
  event_type: "document.sent",
});
console.log(tested.event_id);

export {};
