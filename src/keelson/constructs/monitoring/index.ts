/** Scraping the operator's metrics, looking at them, and alerts. Way in: {@link OperatorServiceMonitor}. */
export { Alerts, type AlertsProps } from './alerts.js';
export { GrafanaDashboard, type GrafanaDashboardProps } from './grafana-dashboard.js';
export { OperatorServiceMonitor, type OperatorServiceMonitorProps } from './operator-service-monitor.js';
