/**
 * Playwright's global setup. Starts the shared test environment: the shop and an embedded channel, unless the
 * environment names a live one. The teardown stops it and searches the run's records for keys.
 */

import { TestEnvironment } from "../../testing/processes/test-environment.ts";
import { searchRecords } from "../../testing/records/search-records.ts";

export default async function aroundRun(): Promise<() => Promise<void>> {
  // `E2E_ENVIRONMENT=none` is for listing tests, and for tests in front of a channel started by hand.
  const environment = process.env["E2E_ENVIRONMENT"] === "none" ? undefined : await startSharedEnvironment();
  return async () => {
    await environment?.stop();
    searchRecords();
  };
}

function startSharedEnvironment(): Promise<TestEnvironment> {
  const { CHAT_BASE_URL: channelUrl, CHAT_CHANNEL_KEY: channelKey, CHAT_KEY: chatKey } = process.env;
  if (channelUrl && !(channelKey && chatKey)) {
    throw new Error("CHAT_BASE_URL is set, so CHAT_CHANNEL_KEY and CHAT_KEY are required, too.");
  }
  return TestEnvironment.start({
    port: Number(process.env["E2E_PORT"]),
    channelPort: Number(process.env["E2E_CHANNEL_PORT"]),
    ...(channelUrl && channelKey && chatKey ? { liveChannel: { channelUrl, channelKey, chatKey } } : {}),
  });
}
