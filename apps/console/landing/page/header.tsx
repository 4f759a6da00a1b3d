import { useLingui } from "@lingui/react/macro";
import { IconMenu2 } from "@tabler/icons-react";
import { useRef } from "react";
import { AccountLinks, Brand, Sections, Switches } from "./header-parts.tsx";
import classes from "./header.module.css";
import { MenuPanel } from "./menu-panel.tsx";

export function Header() {
  const { t } = useLingui();
  const panel = useRef<HTMLDialogElement>(null);
  return (
    <header className={classes["header"]}>
      <a className={classes["skip"]} href="#content">
        {t`Skip to the content`}
      </a>
      <div className={classes["bar"]}>
        <Brand />
        <nav className={classes["sections"]} aria-label={t`Sections`}>
          <Sections />
        </nav>
        <div className={classes["side"]}>
          <Switches />
          <div className={classes["account"]}>
            <AccountLinks />
          </div>
          <button
            type="button"
            className={classes["burger"]}
            aria-haspopup="dialog"
            aria-label={t`Open menu`}
            onClick={() => panel.current?.showModal()}
          >
            <IconMenu2 size={20} stroke={1.6} aria-hidden="true" />
          </button>
        </div>
      </div>
      <MenuPanel ref={panel} />
    </header>
  );
}
