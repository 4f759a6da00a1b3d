import { useLingui } from "@lingui/react/macro";
import {
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import classes from "./search-dialog.module.css";

interface Found {
  readonly key: string;
  readonly content: ReactNode;
  readonly follow: () => void;
}

interface SearchDialogProps {
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength?: number;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly found: readonly Found[];
  readonly onClose: () => void;
  /** Below the list. */
  readonly children: ReactNode;
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

/** Finds something by typing; arrow keys choose among what was found, Enter or a click follows it. */
export function SearchDialog(props: SearchDialogProps) {
  const { label, typed, onType, found, onClose } = props;
  const { t } = useLingui();
  const [chosen, setChosen] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const current = Math.min(chosen, found.length - 1);

  // Close before unmounting: only then does the browser restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  function follow(result: Found | undefined) {
    if (result === undefined) return;
    onClose();
    result.follow();
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
      className={classes["dialog"]}
      aria-label={label}
      data-dialog-open
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div>
        <input
          className={classes["input"]}
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={found[current] ? `${listId} ${current}` : undefined}
          aria-label={label}
          placeholder={props.placeholder}
          autoComplete="off"
          spellCheck={false}
          maxLength={props.maxLength}
          value={typed}
          onChange={(event) => {
            onType(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div className={classes["list"]} id={listId} role="listbox" aria-label={t`Results`}>
          {found.map((result, index) => (
            <div
              key={result.key}
              id={`${listId} ${index}`}
              className={classes["option"]}
              role="option"
              ref={index === current ? scrollIntoView : undefined}
              aria-selected={index === current}
              tabIndex={-1}
              onMouseMove={() => setChosen(index)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => follow(result)}
              onKeyDown={onKeyDown}
            >
              {result.content}
            </div>
          ))}
        </div>
        {props.children}
      </div>
    </dialog>
  );
}
