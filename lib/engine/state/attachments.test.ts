import { expect, test } from "vitest";
import { shownName } from "../shown.ts";
import { aFile } from "../testing/builders.ts";
import { attachmentsOf, isPicture } from "./attachments.ts";
import type { Upload } from "./state.ts";

test("lists files in the order in which they were chosen, below those of an earlier page", () => {
  const chosen = (name: string, state: Upload["state"]): Upload => ({
    key: name,
    file: new File(["x"], name),
    progress: 0,
    state,
  });
  const [earlier, second, third] = ["earlier", "second", "third"].map((filename) => aFile({ filename }));
  const uploads = [
    chosen("first", { state: "uploading" }),
    chosen("second", { state: "attached", fileId: second?.id ?? "" }),
    chosen("third", { state: "attached", fileId: third?.id ?? "" }),
    chosen("removed", { state: "attached", fileId: "file_of_nobody" }),
  ];
  // The third has arrived before the second.
  const files = [earlier, third, second].filter((file) => file !== undefined);
  const draft = { text: "", files, lost: ["lost"] };
  const names = attachmentsOf({ draft, uploads }).map((one) =>
    one.kind === "lost" ? one.name : one.kind === "file" ? one.file.filename : one.upload.file.name,
  );
  expect(names).toEqual(["lost", "earlier", "first", "second", "third"]);
});

test("removes controls from file names and previews only allowed pictures", () => {
  expect(shownName("a\r\nb\u2066.txt", "")).toBe("ab.txt");
  expect(shownName("Größe 🚲.png", "")).toBe("Größe 🚲.png");
  expect(shownName("photo\u202egnp.exe\u0007", "Datei")).toBe("photognp.exe");
  for (const unseen of ["", " \u202e", "\u3164\u115f", "\u2800", "\u200b\ufe0f"])
    expect(shownName(unseen, "Datei")).toBe("Datei");
  expect(isPicture("image/png")).toBe(true);
  expect(isPicture("image/svg+xml")).toBe(false);
  expect(isPicture("application/pdf")).toBe(false);
});
