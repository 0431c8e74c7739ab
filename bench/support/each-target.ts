/**
 * Parts that compare the targets. A target starts in its first round; a `fresh` part restarts it in each
 * round. All targets share one core, so a target is suspended while others are measured: it may still collect
 * garbage.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Measured, Options, Part } from "./part.ts";
import { type Target, type TargetName, targetNames, targetTitles } from "./targets.ts";

/** Time for a resumed target to notice which of its connections have been closed. */
const resumeTime = 500;

export function eachTarget(
  part: Pick<Part, "title" | "figures">,
  measure: (target: Target, options: Options) => Promise<Measured>,
  { fresh = false, without = [] }: { fresh?: boolean; without?: readonly TargetName[] } = {},
): Part {
  return {
    ...part,
    titles: targetTitles,
    baselines: ["next-pipe", "fastify"],
    subjects: ({ targets }) =>
      targetNames.filter((name) => targets.includes(name) && !without.includes(name)),
    async open(options, bench) {
      const targets = new Map<string, Target>();
      return {
        async measure(subject) {
          const running = targets.get(subject);
          if (running !== undefined) {
            running.program.signal("SIGCONT");
            await pause(resumeTime);
          }
          const target = running ?? (await bench.start(subject as TargetName));
          targets.set(subject, target);
          const measured = await measure(target, options);
          if (fresh) {
            targets.delete(subject);
            await target.stop();
          } else if (target.program !== bench.upstream) target.program.signal("SIGSTOP");
          return measured;
        },
        async close() {
          for (const target of targets.values()) await target.stop();
        },
      };
    },
  };
}
