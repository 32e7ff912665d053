/**
 * Argo CD's view of an object with the conditions of keelson: a Lua script that gets the object as `obj`.
 *
 * It agrees with kstatus but in one place: an object that the operator has not looked at yet is in progress, where kstatus takes an object without conditions
 * for a finished one. Source: Argo CD, "Resource Health", custom health checks.
 */
export function healthScript({ kind, group }: { readonly kind: string; readonly group: string }): string {
  return `-- Health of ${kind} (${group}).
local function health(status, message)
  return { status = status, message = message }
end

if obj.metadata.deletionTimestamp ~= nil then
  return health("Progressing", "being deleted")
end

local conditions = {}
local status = obj.status or {}
for _, condition in ipairs(status.conditions or {}) do
  conditions[condition.type] = condition
end

local function is_true(condition)
  return condition ~= nil and condition.status == "True"
end

local function is_current(condition)
  return condition.observedGeneration == nil or condition.observedGeneration == obj.metadata.generation
end

local function text(condition)
  if condition.message == nil or condition.message == "" then
    return condition.reason
  end
  return condition.message
end

local ready, stalled, reconciling = conditions.Ready, conditions.Stalled, conditions.Reconciling
if is_true(stalled) and is_current(stalled) then
  return health("Degraded", text(stalled))
end
if is_true(reconciling) then
  return health("Progressing", text(reconciling))
end
if ready == nil or not is_current(ready) then
  return health("Progressing", "the operator has not looked at this version yet")
end
if ready.status == "True" then
  return health("Healthy", text(ready))
end
return health("Progressing", text(ready))
`;
}
