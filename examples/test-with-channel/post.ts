import type { LabChannel } from "shop-chat-channel";

/** Calls an operation of the Chat API as the app would; without a key, under a new one. */
export async function post(
  { url, channelKey, chatKey }: LabChannel,
  path: string,
  body: object,
  key?: string,
) {
  const headers = {
    authorization: `Bearer ${chatKey}`,
    "content-type": "application/json",
    "idempotency-key": key ?? crypto.randomUUID(),
  };
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${url}/v1/channels/${channelKey}${path}`, request);
  return { status: response.status, ...JSON.parse(await response.text()) };
}
