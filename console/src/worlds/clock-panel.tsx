/** The clock of this world: frozen, scaled, moved on. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type SubmitEvent, type ReactElement } from 'react';
import { control, type ControlSchemas } from '../api/control.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/states.tsx';
import { Field } from '../ui/text.tsx';
import { act } from './act.ts';

type Clock = ControlSchemas['Clock'];
type Mode = ControlSchemas['ClockMode'];

const modes: readonly (readonly [Mode, string])[] = [
  ['real', 'runs as the real time'],
  ['frozen', 'does not move'],
  ['scaled', 'runs faster or slower'],
];

const steps: readonly (readonly [string, number])[] = [
  ['1 minute', 60],
  ['1 hour', 3600],
  ['1 day', 86_400],
  ['30 days', 2_592_000],
];

export const ClockPanel = (): ReactElement => {
  const clock = useQuery({ queryKey: ['clock'], queryFn: () => control.ask('getClock') });
  return (
    <Loaded query={clock} what="the clock">
      {(data) => (
        <div className="stack">
          <p>The clock gives every date of the records, and ends tokens, sessions and flood counters.</p>
          <Now clock={data} readAt={clock.dataUpdatedAt} />
          <div className="panel">
            <h2>Move it on</h2>
            <div className="row">
              {steps.map(([label, seconds]) => (
                <Button
                  key={label}
                  onClick={() =>
                    void act(
                      () => control.ask('advanceClock', { body: { seconds } }),
                      `The clock was moved on by ${label}.`,
                    )
                  }
                >
                  {label}
                </Button>
              ))}
            </div>
          </div>
          <SettingForm key={data.mode} clock={data} />
        </div>
      )}
    </Loaded>
  );
};

/** How fast the time of a clock passes, in seconds of the world in one real second. */
const speedOf = ({ mode, scale }: Clock): number => (mode === 'frozen' ? 0 : mode === 'scaled' ? (scale ?? 1) : 1);

const Now = ({ clock, readAt }: { readonly clock: Clock; readonly readAt: number }): ReactElement => {
  const [realNow, setRealNow] = useState(readAt);
  useEffect(() => {
    const timer = setInterval(() => setRealNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const now = new Date(Date.parse(clock.now) + Math.max(0, realNow - readAt) * speedOf(clock));
  const words = modes.find(([mode]) => mode === clock.mode)?.[1] ?? clock.mode;
  return (
    <p className="panel">
      It is <strong>{now.toLocaleString()}</strong> ({now.toISOString().slice(0, 19)}Z) in this world. The clock {words}
      {clock.mode === 'scaled' && `: ${clock.scale} seconds in one`}.
    </p>
  );
};

const settingOf = (form: FormData, mode: Mode): ControlSchemas['ClockSetting'] => {
  const [now, scale] = ['now', 'scale'].map((name) => form.get(name));
  return {
    mode,
    ...(typeof now === 'string' && now !== '' ? { now: new Date(now).toISOString() } : {}),
    ...(mode === 'scaled' ? { scale: Number(scale) } : {}),
  };
};

const SettingForm = ({ clock }: { readonly clock: Clock }): ReactElement => {
  const [mode, setMode] = useState<Mode>(clock.mode);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const body = settingOf(new FormData(event.currentTarget), mode);
    void act(() => control.ask('setClock', { body }), 'The clock is set.');
  };
  return (
    <form className="panel stack" onSubmit={submit} aria-label="Set the clock">
      <h2>Set it</h2>
      <fieldset className="field">
        <legend>The clock</legend>
        {modes.map(([each, words]) => (
          <label key={each}>
            <input type="radio" name="mode" checked={mode === each} onChange={() => setMode(each)} /> {words}
          </label>
        ))}
      </fieldset>
      <div className="row end">
        <Field label="Time" hint="In your time zone; as it is when empty">
          {(attributes) => <input {...attributes} name="now" type="datetime-local" step="1" />}
        </Field>
        {mode === 'scaled' && (
          <Field label="Seconds in one real second">
            {(attributes) => (
              <input
                {...attributes}
                name="scale"
                type="number"
                min="0.001"
                max="1000000"
                step="any"
                required
                defaultValue={clock.scale ?? 60}
              />
            )}
          </Field>
        )}
        <Button type="submit" look="main">
          Set the clock
        </Button>
      </div>
    </form>
  );
};
