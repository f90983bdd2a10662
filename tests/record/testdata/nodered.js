// The settings of Node-RED that TestChangedApps uses.
module.exports = {
  uiHost: '127.0.0.1',
  uiPort: +process.env.PORT,
  flowFile: 'flows.json',
  credentialSecret: false,
  editorTheme: { tours: false, projects: { enabled: false } },
  telemetry: { enabled: false, updateNotification: false },
  logging: { console: { level: 'warn' } },
};
