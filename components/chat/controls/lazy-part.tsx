import { Component, type ComponentType, lazy, type ReactNode, Suspense, useMemo } from "react";
import { ChatContext, useShell } from "../chat-context.ts";
import { type Language, loadPartStrings, type PartStrings, type ShellStrings } from "../i18n/languages.ts";
import { Button } from "./button.tsx";
import { useOnline } from "./use-online.ts";
import { whenOnline } from "./when-online.ts";

export interface LazyPartProps {
  /** Shown until the part has loaded, and if it does not load. */
  fallback?: ReactNode;
  /** Shown only while the part loads. */
  loading?: ReactNode;
  /** Replaces the error message and its button if the part does not load. */
  failed?: ((tryAgain: () => void) => ReactNode) | undefined;
}

/**
 * A part of the chat that loads on use, together with its texts. Offline it says so in its place and
 * continues when the network returns. When it fails to load, the rest of the chat keeps working and a press
 * tries again. When that fails too (a deployment removed this version's files), the next press reloads the
 * page.
 */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const parts = new Map<Language, ComponentType<{ props: Props }>>();
  const failed = new Set<Language>();

  function partIn(language: Language): ComponentType<{ props: Props }> {
    const part = parts.get(language) ?? lazy(() => loadPart(language));
    parts.set(language, part);
    return part;
  }

  async function loadPart(language: Language) {
    await whenOnline();
    try {
      const [{ default: Loaded }, strings] = await Promise.all([load(), loadPartStrings(language)]);
      return {
        default: ({ props }: { props: Props }) => (
          <PartContext strings={strings}>
            <Loaded {...props} />
          </PartContext>
        ),
      };
    } catch (error) {
      failed.add(language);
      throw error;
    }
  }

  /** React caches a failed `lazy` component, so a retry needs a new one. */
  function loadAgain(): void {
    for (const language of failed) parts.delete(language);
    failed.clear();
  }

  const part = (props: Props & LazyPartProps) => (
    <InShellLanguage fallback={props.fallback} failed={props.failed} loadAgain={loadAgain}>
      {(language) => {
        const Part = partIn(language);
        return (
          <Suspense fallback={<Waiting>{props.loading ?? props.fallback}</Waiting>}>
            <Part props={props} />
          </Suspense>
        );
      }}
    </InShellLanguage>
  );
  part.displayName = "LazyPart";
  return part;
}

interface InShellLanguageProps extends Omit<LazyPartProps, "loading"> {
  loadAgain(): void;
  children(language: Language): ReactNode;
}

function InShellLanguage({ children, ...props }: InShellLanguageProps) {
  const { t, language } = useShell();
  return (
    <FailureBoundary t={t} {...props}>
      {() => children(language)}
    </FailureBoundary>
  );
}

function PartContext({ strings, children }: { strings: PartStrings; children: ReactNode }) {
  const shell = useShell();
  const chat = useMemo(() => ({ ...shell, t: { ...shell.t, ...strings } }), [shell, strings]);
  return <ChatContext value={chat}>{children}</ChatContext>;
}

function Waiting({ children }: { children: ReactNode }) {
  const { t } = useShell();
  const isOnline = useOnline();
  return (
    <>
      {children}
      {!isOnline && <p role="status">{t.problems.partWaits}</p>}
    </>
  );
}

interface FailureBoundaryProps extends Omit<InShellLanguageProps, "children"> {
  t: ShellStrings;
  children(): ReactNode;
}

class FailureBoundary extends Component<FailureBoundaryProps, { hasFailed: boolean; hasTried: boolean }> {
  override state = { hasFailed: false, hasTried: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    const { t, fallback, failed, loadAgain, children } = this.props;
    const { hasFailed, hasTried } = this.state;
    if (!hasFailed) return children();
    const tryAgain = () => {
      loadAgain();
      this.setState({ hasFailed: false, hasTried: true });
    };
    if (failed !== undefined) return failed(tryAgain);
    return (
      <>
        {fallback}
        <p role="alert">
          {t.problems.partFailed}{" "}
          <Button onClick={hasTried ? () => window.location.reload() : tryAgain}>
            {hasTried ? t.problems.reloadPage : t.problems.tryAgain}
          </Button>
        </p>
      </>
    );
  }
}
