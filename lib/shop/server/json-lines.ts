/** Lines of JSON in two files of `.data`, where the demo stores what a shop has in a database. */
import { appendFile, mkdir, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";

export const dataFolder = join(process.cwd(), ".data");
/** A full file replaces the earlier one, so a reader reads at most two of this size. */
const fullFileBytes = 256 * 1024;

/** The value that `otherwise` gives if there is no such file. */
async function unlessMissing<T, U>(found: Promise<T>, otherwise: U): Promise<T | U> {
  return found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return otherwise;
    throw error;
  });
}

/** The lines of this name in the folder, to which several processes may append. */
export function jsonLines<Line>(name: string, folder: string) {
  const current = join(folder, `${name}.jsonl`);
  const earlier = join(folder, `${name}.earlier.jsonl`);

  return {
    async append(line: Line): Promise<void> {
      await mkdir(folder, { recursive: true });
      const found = await unlessMissing(stat(current), null);
      // Two processes that find it full at once may both rename it: the lines then begin anew.
      if (found !== null && found.size >= fullFileBytes)
        await unlessMissing(rename(current, earlier), undefined);
      // Begins with a line break, so that it does not continue a line that a crash cut short.
      await appendFile(current, `\n${JSON.stringify(line)}`, { mode: 0o600 });
    },
    /** Oldest first, without a line that a crash cut short. */
    async read(): Promise<Line[]> {
      const read = (file: string) => unlessMissing(readFile(file, "utf8"), "");
      const text = `${await read(earlier)}\n${await read(current)}`;
      return text.split("\n").flatMap((line) => parseLine<Line>(line));
    },
  };
}

function parseLine<Line>(line: string): Line[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
