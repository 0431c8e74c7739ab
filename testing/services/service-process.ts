/** The user and the folders of throwaway services (PostgreSQL, Redis). */
import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** PostgreSQL refuses to run as root, so root starts it as another user. */
export interface ServiceUser {
  uid?: number;
  gid?: number;
}

export function serviceUser(): ServiceUser {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    try {
      const id = (flag: string) =>
        Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: "pipe" }));
      return { uid: id("-u"), gid: id("-g") };
    } catch (error) {
      // `id` fails when the user does not exist.
      if (!(error instanceof Error && "status" in error)) throw error;
    }
  }
  throw new Error(
    "PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as.",
  );
}

/** A temporary folder that the user can write to. */
export function serviceFolder({ uid, gid }: ServiceUser): string {
  const folder = mkdtempSync(join(tmpdir(), "shop-chat-services-"));
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}
