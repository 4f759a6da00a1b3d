import { Trans, useLingui } from "@lingui/react/macro";
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import classes from "./palette.module.css";
import { rankCommands, type Command } from "./rank.ts";
import { useCommands } from "./use-commands.ts";

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

/** Jumps to any page, shield section or action by typing, arrow keys and Enter. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const found = rankCommands(useCommands(), typed);
  const current = Math.min(chosen, found.length - 1);

  // Close before unmounting: only then does the browser restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  function follow(command: Command | undefined) {
    if (!command) return;
    onClose();
    command.run();
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((current + step + found.length) % Math.max(1, found.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      follow(found[current]);
    }
  }

  return (
    <dialog
      ref={dialog}
      // Closes on a press outside, in browsers that support it.
      {...{ closedby: "any" }}
      className={classes["palette"]}
      aria-label={t`Jump to`}
      data-dialog-open
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={classes["content"]}>
        <input
          className={classes["input"]}
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={found[current] ? `${listId} ${current}` : undefined}
          aria-label={t`Jump to`}
          placeholder={t`Jump to…`}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div className={classes["list"]} id={listId} role="listbox" aria-label={t`Results`}>
          {found.map((command, index) => (
            <div
              key={command.id}
              id={`${listId} ${index}`}
              className={classes["option"]}
              role="option"
              ref={index === current ? scrollIntoView : undefined}
              aria-selected={index === current}
              tabIndex={-1}
              onMouseMove={() => setChosen(index)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => follow(command)}
              onKeyDown={onKeyDown}
            >
              <span>{command.label}</span>
              {command.hint === undefined ? null : (
                <span className={`mono ${classes["hint"]}`}>{command.hint}</span>
              )}
            </div>
          ))}
        </div>
        {found.length === 0 ? (
          <p className={classes["nothing"]}>
            <Trans>Nothing found</Trans>
          </p>
        ) : null}
        <p className={classes["keys"]} aria-hidden="true">
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> <Trans>choose</Trans>
          </span>
          <span>
            <kbd>↵</kbd> <Trans>open</Trans>
          </span>
          <span>
            <kbd>Esc</kbd> <Trans>close</Trans>
          </span>
        </p>
      </div>
    </dialog>
  );
}
