import { Switch } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import { IconUsers } from "@tabler/icons-react";
import { useId, type ReactNode } from "react";
import classes from "./mitigation.module.css";

interface SettingProps {
  readonly label: string;
  /** What it does, and what it costs people who only want to play. */
  readonly does: string;
  readonly costs: string;
  /** Of the switch. */
  readonly field: { readonly name: string; readonly checked?: boolean };
  readonly disabled: boolean;
  /** Why it has less effect than it looks, as things are. */
  readonly hint?: ReactNode;
  /** Of the plan, where that does not have it. */
  readonly notice?: ReactNode;
  /** What is chosen beside the switch. */
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

/** Told when it appears: the choice that brought it about may be elsewhere. */
export function HintLine({ children }: { children: ReactNode }) {
  return <div role="status">{children ? <p className={classes["hint"]}>{children}</p> : null}</div>;
}
