// Entry point of the page.
import { mount } from 'svelte'
import App from './App.svelte'
import './ui/theme.css'
import { startTheme } from './lib/theme.svelte'

startTheme()
mount(App, { target: document.getElementById('app')! })
