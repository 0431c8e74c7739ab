/** Saves, skips or cancels a form. */
import { z } from "zod";
import { Collection, SubmitCollectionBody } from "../collection.ts";
import { limits } from "../limits.ts";
import { exampleCollection } from "./example-chat.ts";
import { jsonBodyErrors, type OperationContract } from "./operation-contract.ts";

export const submitCollection = {
  summary: "Submit the collection",
  description: "Saves, skips or cancels the form that the agent asks for.",
  body: SubmitCollectionBody,
  maxBodyBytes: limits.collectionBodyBytes,
  response: z.object({ item: Collection }),
  errors: [
    ...jsonBodyErrors,
    "invalid_submission",
    "chat_not_found",
    "idempotency_conflict",
    "turn_in_progress",
    "operation_capacity_reached",
    "chat_closed",
    "version_conflict",
    "chat_limit_reached",
    "service_unavailable",
  ],
  example: {
    body: {
      collectionRequestId: exampleCollection.request.id,
      expectedVersion: exampleCollection.version,
      action: "save",
      values: { email: "ana@example.com" },
    },
    response: {
      item: {
        ...exampleCollection,
        version: 3,
        values: [
          {
            fieldId: "email",
            value: "ana@example.com",
            status: "accepted",
            actor: "visitor",
            updatedAt: "2026-11-20T09:32:00.000Z",
          },
        ],
        request: null,
        missing: [],
      },
    },
  },
} as const satisfies OperationContract;
