import { ButtonLink } from "#components/ui/button.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { AskButton } from "../site/ask-button.tsx";
import styles from "./hero.module.css";
import { HeroScene } from "./hero-scene.tsx";

export function Hero() {
  return (
    <section aria-labelledby="hero-title" className={styles["hero"]}>
      <HeroScene />
      <div className={styles["inside"]}>
        <div className={styles["words"]}>
          <h1 className={styles["title"]} id="hero-title">
            Bikes for the long way home.
          </h1>
          <p className={styles["lead"]}>
            Bicycles, bags and rainproof things, chosen by people who ride in the rain. And a workshop that
            mends whatever you bring.
          </p>
          <p className={styles["actions"]}>
            <ButtonLink href="/products?category=bikes" variant="primary">
              See the bikes
            </ButtonLink>
            <AskButton>
              <Icon name="chat" /> Ask Wren
            </AskButton>
          </p>
        </div>
      </div>
    </section>
  );
}
