/** Plain JavaScript, as browsers run it. Texts of objects become text nodes alone; widths are set on elements, since the policy forbids styles in the markup. */
export const SCRIPT = `'use strict';
const token = location.pathname.split('/')[1];
const byId = (id) => document.getElementById(id);
const LOOK_MS = 500;
let state = { version: '', objects: [], gone: [] };
let selected = '';
const openRuns = new Set();

function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function ms(value) {
  if (value < 1000) return Math.round(value) + ' ms';
  if (value < 60000) return (value / 1000).toFixed(1) + ' s';
  return value < 3600000 ? (value / 60000).toFixed(1) + ' min' : (value / 3600000).toFixed(1) + ' h';
}
const keyText = (key) => (typeof key === 'object' ? [key.namespace, key.name].filter(Boolean).join('/') : key);

function triggerText(trigger) {
  return [trigger.cause, trigger.handle, trigger.object && keyText(trigger.object), trigger.name, trigger.key].filter(Boolean).join(' ');
}

function conditionOf({ type, status, reason, message, meaning }) {
  const made = element('span', 'condition ' + meaning, type + '=' + status + (reason ? ' ' + reason : ''));
  if (message) made.title = message;
  return made;
}

function objectItem(name, { depth, conditions, isDeleting, isGone }) {
  const button = element('button', isGone ? 'object gone' : 'object', name);
  button.type = 'button';
  button.dataset.name = name;
  button.setAttribute('aria-current', String(name === selected));
  button.addEventListener('click', () => select(name));
  if (isDeleting) button.append(element('span', 'muted', ' being deleted'));
  if (isGone) button.append(element('span', 'muted', ' gone'));
  if (conditions.length > 0) button.append(document.createElement('br'), ...conditions.flatMap((condition) => [conditionOf(condition), ' ']));
  const item = element('li', '', button);
  item.style.paddingLeft = depth * 22 + 'px';
  return item;
}

function showState() {
  byId('operator').textContent = state.operator || 'keelson dev';
  byId('phase').textContent = state.phase;
  byId('phase').dataset.phase = state.phase;
  for (const [action, name] of [['disturb', 'isDisturbed'], ['stale', 'isStale']]) {
    const button = document.querySelector('[data-action=' + action + ']');
    button.hidden = state.disturbances === null;
    button.setAttribute('aria-pressed', String(state.disturbances !== null && state.disturbances[name]));
  }
  byId('leap').hidden = state.aheadMs === null;
  byId('ahead').textContent = state.aheadMs ? 'time: ' + ms(state.aheadMs) + ' ahead' : '';
  const focused = document.activeElement && document.activeElement.dataset.name;
  const items = state.objects.map((object) => objectItem(object.name, object));
  for (const name of state.gone) items.push(objectItem(name, { depth: 0, conditions: [], isGone: true }));
  if (items.length === 0) items.push(element('li', 'muted', 'There are no objects yet.'));
  byId('objects').replaceChildren(...items);
  for (const button of document.querySelectorAll('.object')) if (button.dataset.name === focused) button.focus();
}

function list(title, lines) {
  return lines.length === 0 ? [] : [element('h3', '', title), element('ul', '', ...lines)];
}

function readItem({ verb, kind, object, handle, from, count, version }) {
  const found = verb === 'list' ? count + ' objects' : version === undefined ? 'not there' : 'version ' + version;
  return element('li', '', [verb, kind, object, '(' + [handle, from, found].filter(Boolean).join(', ') + ')'].filter(Boolean).join(' '));
}

function writeItems({ verb, kind, object, subresource, changes, isDryRun, error }) {
  const text = [verb, kind, object, subresource, isDryRun ? '(dry run)' : ''].filter(Boolean).join(' ');
  const items = [element('li', '', text + (changes.length === 0 && !error ? ': nothing differs' : ''))];
  for (const change of changes) items.push(element('li', 'change', change));
  if (error) items.push(element('li', 'change refused', error));
  return items;
}

function bar({ queuedMs }, tookMs, longest) {
  const made = element('div', 'bar', element('div', 'queued'), element('div', 'ran'));
  made.title = 'queued ' + ms(queuedMs) + ', ran ' + ms(tookMs);
  made.children[0].style.width = (100 * queuedMs) / longest + '%';
  made.children[1].style.width = (100 * tookMs) / longest + '%';
  return made;
}

function runItem(run, longest) {
  const outcome = run.outcome || { result: 'runs still', tookMs: 0 };
  const next = outcome.nextInMs === undefined ? '' : ', again in ' + ms(outcome.nextInMs);
  const attempt = run.attempt > 1 ? ', attempt ' + run.attempt : '';
  const head = element('summary', '',
    new Date(run.startedAt).toLocaleTimeString() + ' ' + run.controller + ', ' + [...new Set(run.triggers.map(({ cause }) => cause))].join(' and ') + ': ',
    element('span', 'result', outcome.result),
    ', queued ' + ms(run.queuedMs) + ', ran ' + ms(outcome.tookMs) + attempt + next,
    bar(run, outcome.tookMs, longest));
  const made = element('details', 'run', head);
  made.dataset.result = outcome.result;
  made.open = openRuns.has(run.id);
  made.addEventListener('toggle', () => (made.open ? openRuns.add(run.id) : openRuns.delete(run.id)));
  if (outcome.error) made.append(element('p', 'error', outcome.error));
  made.append(
    ...list('brought by', run.triggers.map((trigger) => element('li', '', triggerText(trigger)))),
    ...list('read', run.reads.map(readItem)),
    ...list('wrote', run.writes.flatMap(writeItems)));
  if (run.left > 0) made.append(element('p', 'muted', run.left + ' more reads and writes are not kept'));
  return made;
}

const timeOf = (at) => new Date(at).toLocaleTimeString();

function eventItem({ at, type, resourceVersion, isInitial }) {
  return element('li', '', [timeOf(at), type, resourceVersion && 'version ' + resourceVersion, isInitial && '(it was there)'].filter(Boolean).join(' '));
}

function callItem({ at, webhook, operation, user, isDryRun, result, message, warnings, tookMs }) {
  const text = [timeOf(at), webhook, operation, isDryRun && '(dry run)', user && 'of ' + user].filter(Boolean).join(' ');
  const bad = result === 'refused' || result === 'failed';
  const made = element('li', '', text + ': ', element('span', bad ? 'refused' : '', result), ' after ' + ms(tookMs));
  for (const line of [message, ...warnings].filter(Boolean)) made.append(element('div', bad ? 'change refused' : 'change', line));
  return made;
}

function heard(title, none, items) {
  const made = element('section', 'heard', element('h3', '', title));
  made.append(items.length === 0 ? element('p', 'muted', none) : element('ul', '', ...items));
  return made;
}

function runAgainButton(target) {
  const button = element('button', 'again', 'run again');
  button.type = 'button';
  button.title = 'Lets the controllers of its kind look at this object, without a start of the operator';
  button.addEventListener('click', () => act('run?' + new URLSearchParams(target)));
  return button;
}

function showRuns(runs, events, calls) {
  const detail = byId('detail');
  if (selected === '') {
    detail.replaceChildren(element('p', 'muted', 'Choose an object to see its runs.'));
    return;
  }
  const object = state.objects.find(({ name }) => name === selected);
  const messages = ((object && object.conditions) || []).map((condition) => element('p', '', conditionOf(condition), ' ', condition.message));
  const longest = Math.max(1, ...runs.map(({ queuedMs, outcome }) => queuedMs + (outcome ? outcome.tookMs : 0)));
  const legend = element('p', 'legend muted', runs.length + ' runs, newest first ', element('span', '', 'queued'), ' ', element('span', 'took', 'ran'));
  const none = element('p', 'muted', 'No controller has run for this object. Its owner has the runs that wrote it.');
  const focused = document.activeElement && document.activeElement.className === 'again';
  const again = object && object.target ? [runAgainButton(object.target)] : [];
  detail.replaceChildren(element('h2', '', selected, ' ', ...again), ...messages,
    ...(runs.length === 0 ? [none] : [legend, ...[...runs].reverse().map((run) => runItem(run, longest))]),
    heard('webhook calls, newest first', 'No webhook and no conversion of the operator was called for it.', [...calls].reverse().map(callItem)),
    heard('watch events, newest first', 'No watch event of it has reached the operator.', [...events].reverse().map(eventItem)));
  if (focused && again.length > 0) again[0].focus();
}

async function ask(path, options) {
  const response = await fetch(path, { cache: 'no-store', credentials: 'omit', ...options });
  if (!response.ok) throw new Error(response.status + ' ' + (await response.text()));
  return response.status === 204 ? undefined : response.json();
}

function problem(text) {
  byId('problem').textContent = text;
  byId('problem').hidden = text === '';
}

async function loadRuns() {
  const name = selected;
  const of = (path) => (name === '' ? [] : ask(path + '?of=' + encodeURIComponent(name)));
  const [runs, events, calls] = await Promise.all(['runs', 'events', 'calls'].map(of));
  if (name === selected) showRuns(runs, events, calls);
}

function select(name) {
  selected = name;
  showState();
  loadRuns().catch((error) => problem(String(error.message)));
}

async function look() {
  const next = await ask('state?known=' + encodeURIComponent(state.version));
  problem('');
  if (next === undefined) return;
  state = next;
  if (selected === '' && state.objects.length > 0) selected = state.objects[0].name;
  showState();
  await loadRuns();
}

async function lookAgain() {
  try {
    await look();
  } catch (error) {
    problem(error instanceof TypeError ? 'keelson dev does not answer: it has ended, or it starts again at another address' : String(error.message));
  }
  setTimeout(lookAgain, LOOK_MS);
}

function act(path) {
  ask(path, { method: 'POST', headers: { 'x-keelson-token': token } }).catch((error) => problem(String(error.message)));
}

for (const button of document.querySelectorAll('[data-action]')) button.addEventListener('click', () => act(button.dataset.action));
byId('forward').addEventListener('click', () => act('forward?ms=' + byId('leap-ms').value));
lookAgain();
`;
