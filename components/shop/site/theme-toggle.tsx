"use client";

import { useState } from "react";
import { Icon } from "#components/ui/icon.tsx";
import styles from "./site-header.module.css";
import { type Theme, themeCookie } from "./theme.ts";

interface ThemeToggleProps {
  initial: Theme | undefined;
  label: string;
  title: string;
}

const yearInMilliseconds = 365 * 24 * 60 * 60 * 1000;

/**
 * Switches between light and dark and stores the choice in a cookie. The server reads it, so the next page is
 * right from its first paint without a blocking script.
 */
export function ThemeToggle({ initial, label, title }: ThemeToggleProps) {
  const [chosen, setChosen] = useState(initial);

  const change = () => {
    const systemIsDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const next: Theme = (chosen ?? (systemIsDark ? "dark" : "light")) === "dark" ? "light" : "dark";
    document.documentElement.dataset["theme"] = next;
    setChosen(next);
    // `cookieStore` is undefined on plain HTTP: there the choice lasts as long as the page.
    void window.cookieStore?.set({
      name: themeCookie,
      value: next,
      expires: Date.now() + yearInMilliseconds,
      sameSite: "lax",
    });
  };

  return (
    <button aria-label={label} className={styles["tool"]} onClick={change} title={title} type="button">
      <Icon name="contrast" />
    </button>
  );
}
