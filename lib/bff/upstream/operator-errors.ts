/**
 * Errors that the shop's operator must act on. The customer is told that the chat is not available. The
 * operator gets a log line with the remedy, repeated now and then, and a failing readiness check. The plan's
 * limit of chats is only logged.
 */
import type { ChatApiError, ErrorCode, HiddenErrorCode } from "../../chat-api/errors.ts";
import type { ChatConnectionError, ContractErrorKind } from "../../chat-client/errors.ts";
import type { Logger } from "../observability/observe.ts";

/** Advice by the code of the Chat API, which the log line names. */
export const operatorRemedies: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_api_key:
    "The chat key is wrong, was replaced, or is not of the agent that CHAT_CHANNEL_KEY names. Create one in that agent's settings (Advanced, Chat key), set CHAT_KEY, restart.",
  origin_not_allowed:
    "Something between the BFF and the Chat API adds an Origin header. Remove it from the outgoing proxy.",
  channel_disabled: "The agent is not published. Publish it; nothing needs a restart.",
  workspace_suspended: "The workspace is suspended. Ask the Chat API's provider; nothing needs a restart.",
  not_found: "The Chat API knows no such path. Set CHAT_BASE_URL to its address, without /v1, and restart.",
} satisfies Record<HiddenErrorCode, string>;

const minute = 60_000;
const hour = 60 * minute;

export type OperatorErrors = ReturnType<typeof createOperatorErrors>;

export function createOperatorErrors(log: Logger, clock: () => number = Date.now) {
  /** Undefined while the Chat API serves the shop. */
  let current: ErrorCode | undefined;
  // When each code was last logged. An error recurs with every request, so it is logged once per interval.
  const writtenAt = new Map<ErrorCode, number>();

  function once(code: ErrorCode, interval: number, write: () => void) {
    if (clock() - (writtenAt.get(code) ?? Number.NEGATIVE_INFINITY) < interval) return;
    writtenAt.set(code, clock());
    write();
  }

  return {
    report({ code, requestId: upstreamRequestId, unspecified, message }: ChatApiError) {
      current = code;
      const remedy = operatorRemedies[code] ?? "The chat cannot be served.";
      once(code, minute, () =>
        log.error(
          { event: "operator_error", code, upstreamRequestId },
          unspecified ? unspecifiedRemedy(message, remedy) : remedy,
        ),
      );
    },
    reportPlanLimit() {
      once("chat_limit_reached", hour, () =>
        log.error(
          { event: "operator_error", code: "chat_limit_reached" },
          "The plan's limit of chats is reached: customers cannot start new ones. Raise the plan.",
        ),
      );
    },
    /** Called after a response which proves that the Chat API serves the shop. */
    clear() {
      if (current === undefined) return;
      log.info({ event: "operator_error_over", code: current });
      writtenAt.delete(current);
      current = undefined;
    },
  };
}

// Remedies when the Chat API is unreachable or its responses are wrong. They contain no configured value.
const otherAddress =
  "CHAT_BASE_URL must be the address of the Chat API, as its provider gives it, without /v1; a proxy on the way must let it through.";
const untrusted =
  "The certificate of CHAT_BASE_URL's host is not trusted here. One of your own authority's: start with NODE_EXTRA_CA_CERTS=<its file>.";
const unknownHost =
  "CHAT_BASE_URL names a host that this machine cannot find: check its spelling, and the machine's DNS.";
const blocked =
  "Nothing answers at CHAT_BASE_URL: the host, the port or a firewall is wrong, or the Chat API is away. Proxies named by HTTPS_PROXY are not used.";
const noTls =
  "CHAT_BASE_URL says https, and what answers there does not speak it (or not as it should): check the port.";
const closed =
  "What answers at CHAT_BASE_URL closes the connection without a response: the port may be another service's, or the Chat API restarts.";
const silent = "No response came in time: the Chat API is overloaded, or a firewall swallows the requests.";
const otherLanguage = "What answers at CHAT_BASE_URL does not speak HTTP: check the host and the port.";

/** Remedies by system error code. */
export const connectionRemedies: Readonly<Record<string, string>> = {
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ECONNREFUSED: blocked,
  EHOSTUNREACH: blocked,
  ENETUNREACH: blocked,
  ETIMEDOUT: blocked,
  ECONNRESET: closed,
  UND_ERR_SOCKET: closed,
  UND_ERR_CONNECT_TIMEOUT: blocked,
  EPROTO: noTls,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED:
    "The certificate of CHAT_BASE_URL's host has expired: its provider must renew it. (Is this machine's clock right?)",
  CERT_NOT_YET_VALID:
    "The certificate of CHAT_BASE_URL's host is not valid yet. Is this machine's clock right?",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "The certificate at CHAT_BASE_URL is another host's: use the name that the Chat API's provider gives.",
};

export function connectionRemedy({ kind, systemCode }: ChatConnectionError): string | undefined {
  if (kind === "timeout") return silent;
  // undici gives no reason for a response that is not HTTP.
  return systemCode === undefined ? otherLanguage : connectionRemedies[systemCode];
}

/** The remedy for a response that the Chat API would never send. */
export function contractRemedy(kind: ContractErrorKind): string {
  return kind === "redirect" || kind === "unreadable" || kind === "shape"
    ? otherAddress
    : "Report this to the Chat API's provider.";
}

/** The remedy for an error that only another server, or one that violates the specification, returns. */
export const breachRemedy =
  "The Chat API refused what its specification allows. Report this to its provider, with the request ID.";

/** The remedy for an error without a known code. `remedy` belongs to the code that its status suggests. */
export function unspecifiedRemedy(message: string, remedy: string | undefined): string {
  return `${message} A proxy or firewall on the way refuses, or CHAT_BASE_URL is the address of something else.${remedy === undefined ? "" : ` Where it is the Chat API: ${remedy}`}`;
}
