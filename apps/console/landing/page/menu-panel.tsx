import { useLingui } from "@lingui/react/macro";
import { IconX } from "@tabler/icons-react";
import { useEffect, type KeyboardEvent, type RefObject } from "react";
import { AccountLinks, Sections } from "./header-parts.tsx";
import classes from "./header.module.css";

/** From this width on the header shows every link itself. */
const wide = "(width >= 900px)";

/** A modal dialog: Escape closes it, and the page behind it can neither be reached nor scrolled. */
export function MenuPanel({ ref }: { ref: RefObject<HTMLDialogElement | null> }) {
  const { t } = useLingui();
  useEffect(() => {
    const media = matchMedia(wide);
    const close = () => ref.current?.close();
    media.addEventListener("change", close);
    return () => media.removeEventListener("change", close);
  }, [ref]);
  const close = () => ref.current?.close();
  return (
    <dialog ref={ref} className={classes["panel"]} aria-label={t`Menu`} onKeyDown={keepFocusInside}>
      <div className={classes["panelBody"]}>
        <button
          type="button"
          className={classes["burger"]}
          aria-label={t`Close menu`}
          onClick={close}
        >
          <IconX size={20} stroke={1.6} aria-hidden="true" />
        </button>
        <nav className={classes["panelSections"]} aria-label={t`Sections`}>
          <Sections onFollow={close} />
        </nav>
        <div className={classes["panelAccount"]}>
          <AccountLinks onFollow={close} />
        </div>
      </div>
      {/* The area beside the panel closes it too, for a pointer only. */}
      <button
        type="button"
        className={classes["around"]}
        tabIndex={-1}
        aria-hidden="true"
        onClick={close}
      />
    </dialog>
  );
}

/** Keeps Tab inside the panel: a native modal dialog would pass the focus on to the browser's toolbar. */
function keepFocusInside(event: KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== "Tab") return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("a, button:not([tabindex])")];
  const from = event.shiftKey ? stops.at(0) : stops.at(-1);
  if (document.activeElement !== from) return;
  event.preventDefault();
  (event.shiftKey ? stops.at(-1) : stops.at(0))?.focus();
}
