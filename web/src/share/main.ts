// Entry point of a shared page: one HTML file with a recording and this player. It needs no server and loads nothing.
import { mount } from 'svelte'
import '../ui/theme.css'
import { decodeClip } from '../lib/clip'
import { errorMessage } from '../lib/errors'
import { startTheme } from '../lib/theme.svelte'
import { bytesOfBase64 } from './base64'
import SharedPlayer from './SharedPlayer.svelte'

startTheme()
const target = document.getElementById('app')!
const textOf = (id: string) => document.getElementById(id)?.textContent ?? ''
try {
  const { title, description } = JSON.parse(textOf('about') || '{}') as { title?: string; description?: string }
  const clip = decodeClip(bytesOfBase64(textOf('recording')))
  mount(SharedPlayer, { target, props: { clip, title: title ?? '', description: description ?? '' } })
} catch (error) {
  target.textContent = `This page cannot play its recording. ${errorMessage(error)}`
}
