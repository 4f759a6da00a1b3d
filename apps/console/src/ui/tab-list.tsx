import { useId, useRef, type KeyboardEvent, type ReactNode } from "react";
import classes from "./tab-list.module.css";

interface TabListProps<Name extends string> {
  readonly label: string;
  readonly current: Name;
  readonly tabs: readonly { readonly name: Name; readonly label: string }[];
  readonly onChoose: (name: Name) => void;
  /** Content of the current tab. */
  readonly children: ReactNode;
}

/** Tabs inside a dialog, not in the address. Arrow keys move, as in the ARIA pattern. */
export function TabList<Name extends string>(props: TabListProps<Name>) {
  const { label, current, tabs, onChoose, children } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  function move({ key }: KeyboardEvent) {
    const at = tabs.findIndex(({ name }) => name === current);
    const steps: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: -1,
    };
    const step = steps[key];
    const next = step === undefined ? undefined : tabs.at(step % tabs.length);
    if (next === undefined) return;
    onChoose(next.name);
    list.current?.querySelector<HTMLElement>(`[id="${id}${next.name}"]`)?.focus();
  }

  return (
    <>
      <div ref={list} className={classes["tabs"]} role="tablist" aria-label={label}>
        {tabs.map(({ name, label: text }) => (
          <button
            key={name}
            id={`${id}${name}`}
            type="button"
            role="tab"
            className={classes["tab"]}
            aria-selected={name === current}
            aria-controls={`${id}panel`}
            tabIndex={name === current ? 0 : -1}
            onClick={() => onChoose(name)}
            onKeyDown={move}
          >
            {text}
          </button>
        ))}
      </div>
      <div id={`${id}panel`} role="tabpanel" aria-labelledby={`${id}${current}`}>
        {children}
      </div>
    </>
  );
}
