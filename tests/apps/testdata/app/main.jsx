// One page with the parts of real applications that are hard to drive: antd's
// Transfer and Select, a list that dnd-kit sorts, the Monaco editor, and
// Shoelace's web components.
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Modal, Select, Switch, Transfer, DatePicker, Checkbox } from 'antd';
import { DndContext, PointerSensor, closestCenter, useSensor, useSensors } from '@dnd-kit/core';
import { SortableContext, arrayMove, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import * as monaco from 'monaco-editor/editor/editor.api.js';
import '@shoelace-style/shoelace/dist/themes/light.css';
import '@shoelace-style/shoelace/dist/components/input/input.js';
import '@shoelace-style/shoelace/dist/components/checkbox/checkbox.js';
import '@shoelace-style/shoelace/dist/components/select/select.js';
import '@shoelace-style/shoelace/dist/components/option/option.js';
import '@shoelace-style/shoelace/dist/components/button/button.js';
import '@shoelace-style/shoelace/dist/components/dialog/dialog.js';

const goods = Array.from({ length: 20 }, (_, i) => ({ key: String(i), title: `Crate ${i + 1}` }));

function Crates() {
  const [target, setTarget] = useState(['3']);
  const [selected, setSelected] = useState([]);
  return (
    <section aria-label="Crates">
      <Transfer dataSource={goods} targetKeys={target} selectedKeys={selected} render={(item) => item.title} titles={['Shore', 'Ship']}
        listStyle={{ height: 700 }} onChange={(keys) => setTarget(keys)} onSelectChange={(a, b) => setSelected([...a, ...b])} />
      <output id="aboard">{target.map((k) => goods[k].title).join(', ')}</output>
    </section>
  );
}

function Voyage() {
  const [port, setPort] = useState('none');
  const [open, setOpen] = useState(false);
  return (
    <section aria-label="Voyage">
      <Select aria-label="Port" style={{ width: 200 }} showSearch placeholder="Choose a port" onChange={setPort}
        options={['Bergen', 'Esbjerg', 'Lerwick'].map((value) => ({ value, label: value }))} />
      <output id="port">{port}</output>
      <Switch aria-label="Lights" onChange={(on) => { document.getElementById('lights').textContent = on ? 'on' : 'off'; }} />
      <output id="lights">off</output>
      <Checkbox onChange={(e) => { document.getElementById('insured').textContent = String(e.target.checked); }}>Insured</Checkbox>
      <output id="insured">false</output>
      <DatePicker aria-label="Sailing" onChange={(d, text) => { document.getElementById('sailing').textContent = text; }} />
      <output id="sailing">never</output>
      <button onClick={() => setOpen(true)}>Ask the captain</button>
      <Modal title="Captain" open={open} onOk={() => { setOpen(false); document.getElementById('answer').textContent = 'aye'; }} onCancel={() => setOpen(false)}>Sail tonight?</Modal>
      <output id="answer">none</output>
    </section>
  );
}

function Row({ id }) {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id });
  return <li ref={setNodeRef} style={{ transform: CSS.Transform.toString(transform), transition, padding: 12, border: '1px solid' }} id={`row-${id}`} {...attributes} {...listeners}>{id}</li>;
}

function Order() {
  const [rows, setRows] = useState(['anna', 'bente', 'clara', 'dora']);
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 8 } }));
  return (
    <section aria-label="Order">
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={({ active, over }) => {
        if (over && active.id !== over.id) setRows((list) => arrayMove(list, list.indexOf(active.id), list.indexOf(over.id)));
      }}>
        <SortableContext items={rows} strategy={verticalListSortingStrategy}><ul>{rows.map((id) => <Row key={id} id={id} />)}</ul></SortableContext>
      </DndContext>
      <output id="order">{rows.join(',')}</output>
    </section>
  );
}

function Components() {
  return (
    <section aria-label="Components">
      <sl-input label="Berth" id="berth"></sl-input>
      <sl-checkbox id="fuel">Fuel</sl-checkbox>
      <sl-select label="Flag" id="flag"><sl-option value="no">Norway</sl-option><sl-option value="dk">Denmark</sl-option></sl-select>
      <sl-dialog label="Papers" id="papers">All in order <sl-button slot="footer" onClick={() => document.getElementById('papers').hide()}>Close papers</sl-button></sl-dialog>
      <sl-button id="show" onClick={() => document.getElementById('papers').show()}>Show papers</sl-button>
    </section>
  );
}

createRoot(document.getElementById('root')).render(<main><Voyage /><Order /><Components /><div id="editor" style={{ height: 200 }} /><Crates /></main>);

self.MonacoEnvironment = { getWorker: () => new Worker(URL.createObjectURL(new Blob(['']))) };
requestAnimationFrame(function make() {
  const at = document.getElementById('editor');
  if (!at) { requestAnimationFrame(make); return; }
  self.editor = monaco.editor.create(at, { value: '', language: 'plaintext', ariaLabel: 'Log book' });
});
