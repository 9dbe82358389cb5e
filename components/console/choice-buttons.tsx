type Props<Value extends string> = {
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
};

/** Toggle buttons of which one is pressed, such as the languages of a preview. */
export function ChoiceButtons<Value extends string>({ value, options, onChange }: Props<Value>) {
  return (
    <div className="flex gap-1">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="min-h-11 min-w-11 cursor-pointer rounded-control border border-control px-2 text-13 aria-pressed:border-ink aria-pressed:font-semibold"
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
