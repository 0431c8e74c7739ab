/** Executes the commands of docs/deploy, with other places and programs than a real machine's. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../../../processes/root.ts";

const page = (name: string) => readFileSync(join(root, "docs", "deploy", name), "utf8");

/** Each notes its call and for whom it runs; `npm run build` leaves what Next leaves. */
const programs = {
  sudo: 'while [[ "$1" == -* ]]; do [[ "$1" == *u ]] && { export RUNS_AS=$2; shift; }; shift; done; exec "$@"',
  useradd: 'mkdir -p "$HOME_OF_SHOP"',
  npm: 'echo "$RUNS_AS npm $*" >> "$CALLS"; [ "$*" != "run build" ] || mkdir -p .next',
  systemctl: 'echo "systemctl $* $(readlink -f "$HOME_OF_SHOP/app")" >> "$CALLS"',
  curl: "true",
};

function aMachine() {
  const folder = mkdtempSync(join(tmpdir(), "shop-chat-deploy-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [bin, home, origin, calls] = ["bin", "srv/shop", "origin", "calls"].map((name) => join(folder, name));
  if (!bin || !home || !origin || !calls) throw new Error("unreachable");
  mkdirSync(bin);
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/usr/bin/env bash\n${text}\n`, { mode: 0o755 });
  const variables = {
    HOME: folder,
    HOME_OF_SHOP: home,
    CALLS: calls,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.${origin}.insteadOf`,
    GIT_CONFIG_VALUE_0: "https://your.git/shop.git",
  };
  const settings = Object.entries(variables).map(([name, value]) => `export ${name}=${value}`);
  const run = (script: string, cwd = folder) =>
    execFileSync(
      "bash",
      ["-euc", [`PATH=${bin}:$PATH`, ...settings, script.replaceAll("/srv/shop", home)].join("\n")],
      { cwd, stdio: "pipe" },
    );
  mkdirSync(origin);
  const commit = "git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m";
  run(`git init -q && ${commit} one && git tag v1 && ${commit} two && git tag v2`, origin);
  return { folder, home, run, calls: () => readFileSync(calls, "utf8").trim().split("\n") };
}

const blockOf = (text: string, title: string): string => {
  const [, block = ""] = new RegExp(`\`\`\`sh title="${title}"\\n(.*?)\`\`\``, "s").exec(text) ?? [];
  if (block === "") throw new Error(`There is no block ${title}`);
  return block;
};

test("vm.md installs, upgrades and rolls back, as the user of the shop", () => {
  const { home, run, calls } = aMachine();
  const text = page("vm.md");
  const [, writable = ""] = /^ReadWritePaths=(.*)$/m.exec(text) ?? [];
  const expectServed = (version: string) => {
    expect(realpathSync(join(home, "app"))).toBe(realpathSync(join(home, version)));
    expect(realpathSync(join(home, "app/.data"))).toBe(realpathSync(join(home, "data")));
    // systemd refuses to start a unit with a path that does not exist.
    for (const path of writable.split(" "))
      expect(existsSync(path.replace("/srv/shop", home)), path).toBe(true);
  };
  run(blockOf(text, "install"));
  expectServed("v1");
  run(blockOf(text, "upgrade"));
  expectServed("v2");
  const built = ["shop npm ci", "shop npm run build"];
  expect(calls()).toEqual([...built, ...built, `systemctl restart shop ${realpathSync(join(home, "v2"))}`]);
  run("ln -sfn /srv/shop/v1 /srv/shop/app");
  expectServed("v1");
});

test("containers.md writes every secret that compose.yaml needs", () => {
  const { folder, run } = aMachine();
  const [, block = ""] = /```sh\n(printf .*?> \.env)/s.exec(page("containers.md")) ?? [];
  run(block);
  const written = readFileSync(join(folder, ".env"), "utf8");
  const compose = readFileSync(join(root, "compose.yaml"), "utf8");
  const needed = new Set(Array.from(compose.matchAll(/\$\{(\w+):\?/g), ([, name]) => name));
  expect(needed.size).toBeGreaterThan(0);
  for (const name of needed) expect(written).toMatch(new RegExp(`^${name}=.{32,}$`, "m"));
});
