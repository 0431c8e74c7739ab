/** Finds programs, and installs Debian's packages. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

export function findOnPath(program: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return [...folders, "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"]
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));
}

/** Works only as root on systems with apt-get that reach a mirror. Callers look whether it has. */
export function install(packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || findOnPath("apt-get") === undefined) return;
  console.log(`Installing ${packages.join(" and ")} with apt-get.`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  // Another suite beside this one may install packages, too, and apt-get does not wait for another.
  const lock = join(tmpdir(), "shop-chat-apt-get.lock");
  for (const args of [["update"], ["install", "--yes", "--no-install-recommends", ...packages]]) {
    const { status } = spawnSync("flock", [lock, "apt-get", "--quiet", ...args], { stdio: "inherit", env });
    if (status !== 0) {
      console.log(`apt-get ${args[0]} failed.`);
      return;
    }
  }
}
