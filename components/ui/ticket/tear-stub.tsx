"use client";

import { type FormEvent, type ReactNode, useId, useRef } from "react";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";
import { useTear } from "./use-tear";

/**
 * A stub that covers what is under it, and a form: its button is pressed by tearing the stub off, by keyboard, or by hand.
 * The button is in sight where `plain` says so, with reduced motion, without script, and while it has the focus.
 */
export function TearStub({
  action,
  fields,
  labels,
  plain = false,
  pending,
  off,
  onTorn,
  meaning,
  consent,
  problem,
}: {
  /** Where the form goes without script. */
  action: string;
  fields: Readonly<Record<string, string>>;
  labels: { here: string; shown: string; how: string; button: string };
  plain?: boolean;
  pending: boolean;
  /** The stub comes off. */
  off: boolean;
  /** Resolves to whether the stub stays off. */
  onTorn: () => Promise<boolean>;
  /** What tearing means, in the line of "Tear here". */
  meaning: ReactNode;
  /** Why the last try failed. */
  problem?: string;
  /** What the press agrees to. */
  consent?: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const { close, handlers } = useTear(form, () => form.current?.requestSubmit());
  const id = useId();

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (pending || off) return;
    if (!(await onTorn())) close();
  }

  return (
    <form
      ref={form}
      method="post"
      action={action}
      onSubmit={submit}
      {...handlers}
      className={classNames("tear", plain && "tear-plain", off && "tear-off")}
    >
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div id={id} className="tear-words">
        <p>
          <span className="tear-here">
            <strong>{labels.here}</strong>
            {meaning && " · "}
          </span>
          {meaning && <span className="tear-shown">{`${labels.shown} · `}</span>}
          {meaning}
        </p>
        {consent && <p>{consent}</p>}
      </div>
      <p className="tear-how">{labels.how}</p>
      <Button type="submit" pending={pending} aria-describedby={id}>
        <Icon name="eye" size={18} />
        {labels.button}
      </Button>
      {problem && (
        <p role="alert" className="text-13 text-bad">
          {problem}
        </p>
      )}
    </form>
  );
}
