"use client";

import { Button } from "@/components/ui/button";
import { useNavigate } from "@/components/ui/link";
import { useSurface } from "@/components/ui/surface";
import { TextInput } from "@/components/ui/text-input";
import { type PlanForm as Form, planPath } from "@/lib/agents/planning/rules-path";
import { localizedPath } from "@/lib/platform/routing/paths";

type Field = Exclude<keyof Form, "product">;

/** The form of the planner. Before hydration it submits to the same address. */
export function PlanForm({
  form,
  product,
  errors,
  labels,
}: {
  form: Form;
  /** the name of the product that is planned, in place of the need */
  product: string | null;
  errors: Partial<Record<Field, string>>;
  labels: Record<Field | "submit" | "needHint" | "optional", string>;
}) {
  const page = useSurface();
  const navigate = useNavigate();
  const field = (name: Field, more: object) => (
    <TextInput
      key={`${name}:${form[name]}`}
      name={name}
      label={labels[name]}
      error={errors[name]}
      defaultValue={form[name]}
      autoComplete="off"
      {...more}
    />
  );
  return (
    <form
      method="get"
      action={localizedPath("/plan", page)}
      className="grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_9rem_12rem_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        const data = [...new FormData(event.currentTarget)].map(([name, value]) => [
          name,
          String(value).trim(),
        ]);
        navigate(planPath(Object.fromEntries(data.filter(([, value]) => value))));
      }}
    >
      {product === null ? (
        field("need", {
          hint: errors.need ? undefined : labels.needHint,
          maxLength: 200,
          enterKeyHint: "search",
        })
      ) : (
        <>
          <input type="hidden" name="product" value={form.product} />
          <p className="self-center text-17 font-medium md:pt-7">{product}</p>
        </>
      )}
      {field("days", { inputMode: "numeric", maxLength: 6 })}
      {field("budget", {
        inputMode: "decimal",
        maxLength: 12,
        hint: errors.budget ? undefined : labels.optional,
      })}
      <Button type="submit" look="primary" className="md:mt-7.5">
        {labels.submit}
      </Button>
    </form>
  );
}
