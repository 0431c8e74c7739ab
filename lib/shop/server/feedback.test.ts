import { expect, test } from "vitest";
import { sumFeedback } from "./feedback.ts";

const line = (press: object) => `${JSON.stringify({ chatId: "chat_0001", messageId: null, ...press })}\n`;

test("counts the latest press of each message and chat, and none that was taken back", () => {
  const lines = [
    line({ messageId: "a", kind: "up", value: 1 }),
    line({ messageId: "a", kind: "down", value: 1 }),
    line({ messageId: "b", kind: "up", value: 1 }),
    line({ messageId: "b", kind: "up", value: 1 }),
    line({ messageId: "c", kind: "up", value: 1 }),
    line({ messageId: "c", kind: "up", value: 0 }),
    line({ kind: "rating", value: 2 }),
    line({ kind: "rating", value: 5 }),
    line({ chatId: "chat_0002", kind: "rating", value: 4 }),
  ];
  expect(sumFeedback(lines.join(""))).toEqual({ up: 1, down: 1, ratings: 2, rating: 4.5 });
  expect(sumFeedback("")).toEqual({ up: 0, down: 0, ratings: 0, rating: null });
});
