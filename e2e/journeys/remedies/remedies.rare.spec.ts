/**
 * Causes each error code of the Chat API and of the BFF, by requests or with the lab, and follows the remedy
 * that the customer is offered. The BFF prevents `unsupported_resume`, so that journey only checks that the
 * message is delivered. The codes come from the contract: a code without a journey fails to compile.
 */
import type { ErrorCode } from "#lib/chat-api/errors.ts";
import * as files from "./files.ts";
import * as forms from "./forms.ts";
import * as reading from "./reading.ts";
import { followRefusals, type RefusalCode } from "./refusals.ts";
import { type Journey, test } from "./remedy-test.ts";
import * as sending from "./sending.ts";
import * as service from "./service.ts";

const journeys: Record<Exclude<ErrorCode, RefusalCode>, readonly [Journey, ...Journey[]]> = {
  invalid_id: [reading.invalidId],
  invalid_cursor: [reading.invalidCursor],
  invalid_submission: [forms.invalidSubmission],
  unsupported_resume: [sending.unsupportedResume],
  invalid_api_key: [service.invalidApiKey],
  chat_not_found: [sending.chatNotFound],
  file_not_found: [files.fileNotFound],
  idempotency_conflict: [sending.idempotencyConflict],
  idempotency_key_expired: [sending.idempotencyKeyExpired],
  turn_in_progress: [sending.turnInProgress],
  operation_interrupted: [sending.operationInterrupted],
  operation_superseded: [sending.operationSuperseded],
  operation_capacity_reached: [sending.operationCapacityReached],
  chat_closed: [sending.chatClosed, files.chatClosedDuringUpload],
  version_conflict: [forms.versionConflict],
  file_not_ready: [files.fileNotReady],
  file_limit_reached: [files.fileLimitReached],
  file_storage_limit: [files.fileStorageLimit],
  confirmation_required: [forms.confirmationRequired, forms.confirmationRequiredWithoutOffer],
  collection_incomplete: [forms.collectionIncomplete],
  cursor_expired: [reading.cursorExpired],
  idempotency_resource_gone: [sending.idempotencyResourceGone],
  unsupported_file: [files.unsupportedFile],
  rate_limited: [sending.rateLimited],
  capacity_limited: [sending.capacityLimited],
  chat_limit_reached: [sending.chatLimitReached],
  internal_error: [service.internalError],
  service_unavailable: [service.serviceUnavailable],
  session_required: [sending.sessionRequired],
  chat_unavailable: [service.chatUnavailable],
  upstream_unreachable: [service.upstreamUnreachable],
};

test("offers a working remedy for each refusal of a message by its code", async ({ fixtures }) => {
  await followRefusals(fixtures);
});

test("offers a working remedy for a file that is too large", async ({ fixtures }) =>
  files.tooLarge(fixtures));

for (const [code, [...journeysOfCode]] of Object.entries(journeys)) {
  journeysOfCode.forEach((journey, index) => {
    const name = index === 0 ? code : `${code} (${index + 1})`;
    test(`offers a working remedy for ${name}`, async ({ fixtures }) => journey(fixtures));
  });
}
