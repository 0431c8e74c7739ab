import { Icon } from "#components/ui/icon.tsx";
import tryGroups from "#lib/shop/try-lines.json" with { type: "json" };
import { TryGroup } from "./try-group.tsx";
import { TryLanguages } from "./try-languages.tsx";
import styles from "./try-list.module.css";

export function TryList() {
  return (
    <>
      <nav aria-label="Features" className={styles["jump"]}>
        <ul>
          {tryGroups.map((group) => (
            <li key={group.id}>
              <a href={`#${group.id}`}>{group.title}</a>
            </li>
          ))}
          <li>
            <a href="#languages">Five languages</a>
          </li>
        </ul>
      </nav>
      {tryGroups.map((group) => (
        <TryGroup about={group.about} id={group.id} key={group.id} title={group.title}>
          <ul className={styles["lines"]}>
            {group.lines.map((line) => (
              <li key={line.say}>
                <button className={styles["line"]} data-shop-chat-open={line.say} type="button">
                  <span className={styles["say"]}>
                    <bdi>{line.say}</bdi>
                  </span>
                  <span className={styles["see"]}>{line.see}</span>
                  <Icon className={styles["icon"]} name="chat" />
                </button>
              </li>
            ))}
          </ul>
        </TryGroup>
      ))}
      <TryLanguages />
    </>
  );
}
