/**
 * Causes each error code of the Chat API and of the BFF, by requests or with the lab, and follows the remedy
 * that the customer is offered. The BFF prevents `unsupported_resume`, so that journey only checks that the
 * message is delivered. The codes come from the contract: a code without a journey fails to compile.
 */
import { type ErrorCode, errorRules } from "#lib/chat-api/errors.ts";
import * as files from "./files.ts";
import * as forms from "./forms.ts";
import * as reading from "./reading.ts";
import { type Journey, test } from "./remedy-test.ts";
import * as sending from "./sending.ts";
import * as service from "./service.ts";

const journeys: Record<ErrorCode, readonly [Journey, ...Journey[]]> = {
  invalid_json: [sending.invalidJson],
  invalid_request: [sending.invalidRequest],
  invalid_id: [reading.invalidId],
  invalid_cursor: [reading.invalidCursor],
  invalid_submission: [forms.invalidSubmission],
  unsupported_resume: [sending.unsupportedResume],
  invalid_api_key: [service.invalidApiKey],
  origin_not_allowed: [service.originNotAllowed],
  channel_disabled: [service.channelDisabled],
  workspace_suspended: [service.workspaceSuspended],
  not_found: [service.notFound],
  chat_not_found: [sending.chatNotFound],
  file_not_found: [files.fileNotFound],
  method_not_allowed: [sending.methodNotAllowed],
  unsupported_accept: [sending.unsupportedAccept],
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
  payload_too_large: [files.payloadTooLargeAsFile, sending.payloadTooLargeAsText],
  unsupported_media_type: [sending.unsupportedMediaType],
  unsupported_file: [files.unsupportedFile],
  rate_limited: [sending.rateLimited],
  capacity_limited: [sending.capacityLimited],
  chat_limit_reached: [sending.chatLimitReached],
  internal_error: [service.internalError],
  service_unavailable: [service.serviceUnavailable],
  session_required: [sending.sessionRequired],
  request_not_allowed: [sending.requestNotAllowed],
  chat_unavailable: [service.chatUnavailable],
  upstream_unreachable: [service.upstreamUnreachable],
};

/**
 * The customer sees the same as with another code, so `npm test` leaves these to `node
 * scripts/test-browser.ts viewports`.
 */
const sameOnScreen: ReadonlySet<ErrorCode> = new Set([
  "origin_not_allowed",
  "workspace_suspended",
  "not_found",
  "unsupported_media_type",
  "method_not_allowed",
]);

for (const code of Object.keys(errorRules) as ErrorCode[]) {
  journeys[code].forEach((journey, index) => {
    const name = index === 0 ? code : `${code} (${index + 1})`;
    const tag = sameOnScreen.has(code) ? ["@ours", "@viewports"] : "@ours";
    test(`offers a working remedy for ${name}`, { tag }, async ({ fixtures }) => journey(fixtures));
  });
}
