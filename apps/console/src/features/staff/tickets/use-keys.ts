import { useEffect, useEffectEvent } from "react";

/** Keys by their place on the keyboard, so that they are the same in every layout; `?` by its sign. */
export type KeyMap = Readonly<Record<string, () => void>>;

/** Calls what a key stands for, unless something is being typed or a dialog is open. */
export function useKeys(keys: KeyMap): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target) || document.querySelector("[data-dialog-open]") !== null) return;
    const action = event.key === "?" ? keys["?"] : event.shiftKey ? undefined : keys[event.code];
    if (action === undefined || (event.key === "Enter" && isPressed(event.target))) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select")
  );
}

/** Whether the key already does something where the focus is. */
function isPressed(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("a, button, input, summary") !== null;
}
