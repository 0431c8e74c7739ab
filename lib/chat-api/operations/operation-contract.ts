import type { z } from "zod";
import type { ChatApiErrorCode } from "../errors.ts";

/** The contract of an operation for servers and documents, besides its row in `operations.ts`. */
export interface OperationContract {
  summary: string;
  description: string;
  /** The schema of a JSON body; `file` for an upload; absent if the operation takes no body. */
  body?: z.ZodType | "file";
  /** Present if there is a body. */
  maxBodyBytes?: number;
  query?: z.ZodType;
  /** Absent if the response is raw bytes. */
  response?: z.ZodType;
  /** True if `Accept: text/event-stream` streams the response. */
  streams?: boolean;
  /** Codes in addition to `globalErrorCodes`. */
  errors: readonly ChatApiErrorCode[];
  example: { body?: unknown; response?: unknown };
}

/** The errors of every operation with a JSON body. */
export const jsonBodyErrors = [
  "invalid_json",
  "invalid_request",
  "payload_too_large",
  "unsupported_media_type",
] as const;
