import { Switch } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import { IconUsers } from "@tabler/icons-react";
import { useId, type ReactNode } from "react";
import classes from "./mitigation.module.css";

interface SettingProps {
  readonly label: string;
  /** The effect of the setting, and its cost for real players. */
  readonly does: string;
  readonly costs: string;
  /** Props of the switch. */
  readonly field: { readonly name: string; readonly checked?: boolean };
  readonly disabled: boolean;
  /** Why the setting has less effect than it seems. */
  readonly hint?: ReactNode;
  /** Shown if the plan does not include the setting. */
  readonly notice?: ReactNode;
  /** Controls beside the switch. */
  readonly children?: ReactNode;
}

export function Setting(props: SettingProps) {
  const { label, does, costs, field, disabled, hint, notice, children } = props;
  const id = useId();
  return (
    <li className={classes["setting"]}>
      <div className={classes["about"]}>
        <Switch
          {...field}
          label={label}
          labelPosition="left"
          withThumbIndicator={false}
          disabled={disabled}
          aria-describedby={`${id}-does ${id}-costs`}
          classNames={{ body: classes["toggle"] ?? "", labelWrapper: classes["label"] ?? "" }}
        />
        <p id={`${id}-does`} className={classes["explained"]}>
          {does}
        </p>
        <Costs id={`${id}-costs`}>{costs}</Costs>
        <HintLine>{hint}</HintLine>
      </div>
      {children ? <div className={classes["choice"]}>{children}</div> : null}
      {notice ? <div className={classes["notice"]}>{notice}</div> : null}
    </li>
  );
}

export function Costs({ id, children }: { id?: string; children: string }) {
  return (
    <p id={id} className={classes["costs"]}>
      <IconUsers size={14} stroke={1.6} aria-hidden="true" />
      <span>
        <span className="visually-hidden">
          <Trans>For players:</Trans>{" "}
        </span>
        {children}
      </span>
    </p>
  );
}

/** Announced when it appears: another control may have caused it. */
export function HintLine({ children }: { children: ReactNode }) {
  return <div role="status">{children ? <p className={classes["hint"]}>{children}</p> : null}</div>;
}
