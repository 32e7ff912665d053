export const STYLE = `:root { color-scheme: light dark; --line: #8884; --soft: #8882; --good: #1a7f37; --bad: #c62828; --wait: #b08800; --run: #2f6fd0; }
@media (prefers-color-scheme: dark) { :root { --good: #4ac26b; --bad: #ff7b72; --wait: #d4a72c; --run: #6ea8fe; } }
* { box-sizing: border-box; }
body { margin: 0; font: 14px/1.45 system-ui, "DejaVu Sans", sans-serif; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 12px; padding: 10px 16px; border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 17px; }
h2 { margin: 0 0 8px; font-size: 15px; }
nav { display: flex; gap: 6px; margin-left: auto; }
button { font: inherit; cursor: pointer; }
nav button { padding: 3px 10px; border: 1px solid var(--line); border-radius: 5px; background: var(--soft); color: inherit; }
nav button[aria-pressed="true"] { background: var(--bad); color: #fff; }
[hidden] { display: none !important; }
#leap { display: flex; align-items: center; gap: 6px; margin-left: 10px; }
select { font: inherit; padding: 3px; border: 1px solid var(--line); border-radius: 5px; background: var(--soft); color: inherit; }
.again { margin-left: 10px; padding: 1px 8px; border: 1px solid var(--line); border-radius: 5px; background: var(--soft); color: inherit; }
#phase { padding: 1px 8px; border-radius: 9px; background: var(--soft); }
#phase[data-phase="ready"] { color: var(--good); }
#phase[data-phase="ended"] { color: var(--bad); }
#problem { margin: 0; padding: 8px 16px; color: #fff; background: #c62828; }
main { display: grid; grid-template-columns: minmax(300px, 2fr) 3fr; }
main > section { padding: 12px 16px; min-width: 0; overflow-wrap: anywhere; }
main > section + section { border-left: 1px solid var(--line); min-height: 80vh; }
ul { margin: 0; padding: 0; list-style: none; }
.object { display: block; width: 100%; padding: 4px 8px; border: 0; border-radius: 5px; background: none; color: inherit; text-align: left; }
.object:hover { background: var(--soft); }
.object[aria-current="true"] { background: var(--soft); box-shadow: inset 3px 0 var(--run); }
.gone, .muted { opacity: .65; }
.condition { display: inline-block; margin: 0 8px 0 0; font-size: 12px; }
.condition::before { content: "\\25CF\\A0"; }
.good::before { color: var(--good); }
.bad::before { color: var(--bad); }
.waiting::before { color: var(--wait); }
.run { margin: 0 0 6px; border: 1px solid var(--line); border-radius: 5px; padding: 4px 10px; }
.run summary { cursor: pointer; }
.run[data-result="error"] .result, .run[data-result="terminal"] .result, .refused { color: var(--bad); }
.bar { display: flex; height: 8px; margin: 4px 0; background: var(--soft); }
.queued { background: var(--wait); }
.ran { min-width: 2px; background: var(--run); }
.run h3 { margin: 8px 0 2px; font-size: 13px; }
.heard { margin-top: 14px; padding-top: 6px; border-top: 1px solid var(--line); }
.heard h3 { margin: 0 0 4px; font-size: 13px; }
.run li, .heard li, .error { font: 12px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
.change { padding-left: 20px; }
.error { margin: 6px 0; color: var(--bad); white-space: pre-wrap; }
.legend span::before { content: ""; display: inline-block; width: 10px; height: 10px; margin: 0 4px 0 10px; background: var(--wait); }
.legend .took::before { background: var(--run); }
@media (max-width: 700px) { main { grid-template-columns: 1fr; } main > section + section { border-left: 0; border-top: 1px solid var(--line); } }
`;
